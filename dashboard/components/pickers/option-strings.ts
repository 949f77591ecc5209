/** The English texts of fields with options to choose from. */
export const optionStrings = {
  find: (label: string) => `Find in ${label}`,
  findShort: 'Find…',
  typeForMore: 'Type to find more.',
  remove: (value: string) => `Remove ${value}`,
  wrong: 'Not valid',
}
