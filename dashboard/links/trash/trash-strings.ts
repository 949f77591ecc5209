const keptFor = (days: number) => (days === 0 ? 'a minute' : days === 1 ? '1 day' : `${days} days`)

/** The English texts of the trash. */
export const trashStrings = {
  title: 'Trash',
  lead: 'Deleted links do not redirect. They keep their clicks, and their codes stay yours.',
  pages: 'Pages of deleted links',
  deleted: 'Deleted',
  left: 'Left',
  daysLeft: (days: number) => (days === 0 ? 'Less than a minute' : days === 1 ? '1 day' : `${days} days`),
  isInTrash: (code: string) => `${code} is in the trash.`,
  restore: 'Restore',
  restoreOf: (code: string) => `Restore ${code}`,
  delete: 'Delete for good',
  deleteOf: (code: string) => `Delete ${code} for good`,
  deleteTitle: (code: string) => `Delete ${code} for good?`,
  deleteText: 'You can’t restore it afterward. Its code stays yours, and its clicks stay counted.',
  deletedForGood: (code: string) => `${code} deleted for good`,
  emptyTitle: 'The trash is empty',
  empty: (days: number) =>
    `Deleted links are kept here for ${keptFor(days)}, and can be restored until then.`,
}
