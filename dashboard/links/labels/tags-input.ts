/** How tags are sent. The last one may still be being typed. */
export const tagsInput = (tags: readonly string[]) =>
  tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
