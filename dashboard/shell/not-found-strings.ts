/** The English texts of the page for addresses that do not exist. */
export const notFoundStrings = {
  title: 'Page not found',
  text: 'There is no page at this URL.',
  noAccess: {
    title: 'You don’t have access',
    text: 'Your role in this workspace doesn’t open this page. Ask an admin.',
  },
  home: 'Go to links',
}
