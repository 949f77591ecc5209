const numberOf = (count: string, one: string, many: string) => `${count} ${count === '1' ? one : many}`
const linksOf = (count: string) => numberOf(count, 'link', 'links')

/** Of tags and folders: in the editor of a link, and where they are managed. */
export const labelStrings = {
  title: 'Tags and folders',
  lead: 'Tags and folders group links. A link can have up to 20 tags and be in one folder.',
  manage: 'Manage',
  manageTags: 'Manage tags',
  done: 'Done',
  links: linksOf,
  archivedLinks: (count: string) => `${count} archived`,
  alsoArchived: (count: string) => `And ${count} archived`,
  fields: {
    tags: 'Tags',
    tagsPlaceholder: 'Add a tag',
    folder: 'Folder',
    folderPlaceholder: 'No folder',
    createTag: (name: string) => `Create tag “${name}”`,
    createFolder: (name: string) => `Create folder “${name}”`,
  },
  sorts: { name: 'By name', links: 'Most links' },
  sort: 'Sort',
  color: (name: string) => `Color of ${name}`,
  colors: ['Blue', 'Violet', 'Green', 'Yellow', 'Red', 'Gray'],
  name: 'Name',
  rename: 'Rename',
  renameOf: (name: string) => `Rename ${name}`,
  merge: 'Merge into…',
  share: 'Share statistics',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  mergeTitle: (name: string) => `Merge “${name}”`,
  menuOf: (name: string) => `More for ${name}`,
  typeForMore: 'Type to find more.',
  /** `gone`: the label that no longer is there. */
  merged: (gone: string, into: string) => `“${gone}” is now part of “${into}”.`,
  deleted: (name: string) => `“${name}” is deleted.`,
  created: (name: string) => `“${name}” is created.`,
  working: 'This can take a while for many links.',
  kinds: {
    tags: {
      title: 'Tags',
      new: 'New tag',
      create: 'Create tag',
      find: 'Find tags',
      none: 'No tags match',
      emptyTitle: 'No tags yet',
      empty: 'Add tags in the editor of a link, or create the first one here.',
      deleteText: (links: number, shown: string) =>
        links === 0
          ? 'No link has this tag.'
          : `${linksOf(shown)} ${links === 1 ? 'loses' : 'lose'} this tag. ${links === 1 ? 'It stays' : 'They stay'}.`,
      deleteAction: 'Delete tag',
      mergeInto: 'Merge into',
      mergeText: (links: number, shown: string, into: string) =>
        `${links === 0 ? 'No link has this tag.' : `${linksOf(shown)} ${links === 1 ? 'gets' : 'get'} “${into}” instead.`} The merge cannot be undone.`,
      mergeHint: 'Choose the tag to keep.',
      mergeAction: 'Merge tags',
    },
    folders: {
      title: 'Folders',
      new: 'New folder',
      create: 'Create folder',
      find: 'Find folders',
      none: 'No folders match',
      emptyTitle: 'No folders yet',
      empty: 'Put a link into a folder in its editor, or create the first folder here.',
      deleteText: (links: number, shown: string) =>
        links === 0
          ? 'The folder is empty.'
          : `${linksOf(shown)} ${links === 1 ? 'is' : 'are'} then without a folder. ${links === 1 ? 'It stays' : 'They stay'}.`,
      deleteAction: 'Delete folder',
      mergeInto: 'Merge into',
      mergeText: (links: number, shown: string, into: string) =>
        `${links === 0 ? 'The folder is empty.' : `${linksOf(shown)} ${links === 1 ? 'moves' : 'move'} to “${into}”.`} The merge cannot be undone.`,
      mergeHint: 'Choose the folder to keep.',
      mergeAction: 'Merge folders',
    },
  },
}
