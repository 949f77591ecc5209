/** Loaded with every page, so they are not with the other texts of imports. */
export const runningStrings = {
  importing: (source: string) => `Import of ${source}`,
  done: (links: string, source: string) =>
    `${links} ${links === '1' ? 'link' : 'links'} imported from ${source}`,
  interrupted: (source: string) => `The import from ${source} was interrupted`,
  show: 'Show',
}
