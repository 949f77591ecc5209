/** The English texts of the page for addresses that do not exist. */
export const notFoundStrings = {
  title: 'Page not found',
  text: 'There is no page at this URL.',
  home: 'Go to links',
}
