/** The English texts of the overview page. */
export const overviewStrings = {
  title: 'Overview',
  totals: (clicks: string, links: string, active: string) =>
    `${clicks === '1' ? '1 click' : `${clicks} clicks`} so far · ${links === '1' ? '1 link' : `${links} links`}, ${active} active`,
  top: 'Top links',
  topEmpty: 'No clicks in this range.',
  recent: 'Live clicks',
  recentEmpty: 'Clicks appear here while this page is open.',
  emptyTitle: 'No clicks yet',
  empty: 'Create a link and share it. Its clicks, countries and referrers appear here.',
  bot: 'Bot',
  gone: 'Deleted link',
}
