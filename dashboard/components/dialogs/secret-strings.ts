/** The English texts of the dialog that shows a secret once. */
export const secretStrings = {
  download: 'Download',
  done: 'Done',
}
