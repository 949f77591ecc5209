const links = (count: number, text: string) => `${text} ${count === 1 ? 'link' : 'links'}`
const were = (count: number) => (count === 1 ? 'was' : 'were')

/** The English texts of imports. */
export const importStrings = {
  title: 'Imports',
  lead: 'Each run of an import, with what became of its links. It can be undone for 30 days.',
  pages: 'Pages of imports',
  import: 'Import links',
  openTitle: 'Not done',
  openJob: (state: string, when: string) => `${state}, begun ${when}`,
  jobStates: {
    draft: 'Not checked yet',
    checking: 'Being checked',
    checked: 'Checked, nothing is stored yet',
    importing: 'Importing',
    stopped: 'Stopped',
    failed: 'Interrupted',
    done: 'Done',
  },
  continue: 'Continue',
  continueOf: (source: string) => `Continue the import from ${source}`,
  showProgress: 'Show progress',
  showProgressOf: (source: string) => `Show progress of the import from ${source}`,
  remove: 'Remove',
  removeOf: (source: string) => `Remove the import from ${source}`,
  jobRemoved: 'Import removed, with its files',
  columns: {
    source: 'Source',
    begun: 'Begun',
    links: 'Links',
    state: 'State',
    menu: 'Actions',
  },
  by: (name: string) => `by ${name}`,
  results: {
    created: 'created',
    equal: 'equal',
    skipped: 'skipped',
    kept: 'kept',
    replaced: 'replaced',
    refused: 'refused',
  },
  noLinks: 'No links',
  states: { open: 'Not ended', undoing: 'Undoing', undone: 'Undone' },
  openHint: 'It goes on, or was interrupted.',
  undoUntil: (day: string) => `Can be undone until ${day}`,
  over: 'Can no longer be undone',
  trashed: (count: string, spared: number) =>
    `${count} in the trash${spared === 0 ? '' : `, ${spared} stayed`}`,
  show: 'Show links',
  showOf: (source: string) => `Show links imported from ${source}`,
  undo: 'Undo',
  undoOf: (source: string) => `Undo the import from ${source}`,
  undoTitle: (source: string) => `Undo the import from ${source}?`,
  undoAction: 'Undo import',
  counting: 'Its links are being counted.',
  toTrash: (count: number, text: string) =>
    `${links(count, text)} will be moved to the trash and stop redirecting. Nothing else is removed.`,
  inUse: (count: number, text: string) =>
    `${links(count, text)} ${were(count)} edited or clicked since ${count === 1 ? 'it was' : 'they were'} imported.`,
  inUseLabel: 'Links in use',
  inUseChoices: { keep: 'Keep them', trash: 'Move them to the trash too' },
  changed: (count: number, text: string) =>
    `${links(count, text)} that ${were(count)} here before ${were(count)} changed by the import. That is not changed back; the history of a link can restore it.`,
  again: 'The same import brings the links back, with their codes and clicks.',
  begun: 'The import is being undone',
  done: (trashed: string, spared: number, sparedText: string) =>
    `Import undone: ${trashed} in the trash${spared === 0 ? '' : `, ${sparedText} stayed`}`,
  emptyTitle: 'No imports yet',
  empty:
    'Links of Bitly, Dub, Shlink and other programs, or of any CSV, are imported with their codes. Nothing is stored until you have seen the check. The command line imports too, from any machine.',
  command: 'Command',
}
