/** The English texts of creating many links at once. */
export const bulkStrings = {
  title: 'Bulk create',
  label: 'One URL per line',
  hint: 'After a URL you can add a comma and a title, then a comma and a custom code. Or drop a CSV file here.',
  placeholder:
    'https://example.com/first\nhttps://example.com/second, A title\nhttps://example.com/third, A title, my-code',
  choose: 'Choose a CSV file',
  check: 'Check links',
  createCount: (count: string) => (count === '1' ? 'Create 1 link' : `Create ${count} links`),
  ready: (count: string) => (count === '1' ? '1 link is ready' : `${count} links are ready`),
  refused: (count: string) => (count === '1' ? '1 line has an error' : `${count} lines have errors`),
  refusedHint: 'Edit the list, or continue with the rest.',
  nothingYet: 'Nothing has been created yet.',
  row: 'Line',
  url: 'URL',
  reason: 'Error',
  back: 'Edit list',
  tooMany: (max: string) => `At most ${max} links at a time. Split the list.`,
  checking: (done: string, total: string) => `${done} of ${total} checked`,
  creating: (done: string, total: string) => `${done} of ${total} created`,
  done: (count: string) => (count === '1' ? '1 link created' : `${count} links created`),
  shortUrl: 'Short URL',
  copyAll: 'Copy all',
  downloadAll: 'Download CSV',
  finish: 'Done',
  shownOf: (shown: string, total: string) =>
    `The first ${shown} of ${total}. “Copy all” and “Download CSV” include every link.`,
  stopped: (done: string) =>
    `Stopped after ${done === '1' ? '1 link' : `${done} links`}. Continue when you are ready: no link is created twice.`,
  labelsRefused: 'A tag or the folder has an error.',
  repeated: (line: string) => `The code is already used on line ${line}.`,
  tooLarge: 'The file is larger than 2 MB.',
}
