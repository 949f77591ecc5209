/** The English texts of reports about links. */
export const reportStrings = {
  show: 'Show reports',
  states: { open: 'Open', closed: 'Closed' },
  pages: 'Pages of reports',
  emptyTitle: { open: 'No open reports', closed: 'No closed reports' },
  empty: {
    open: 'Visitors can report links from preview pages and notices. Their reports appear here.',
    closed: 'Reports that were closed stay here for 90 days.',
  },
  count: (count: number) => (count === 1 ? '1 report' : `${count} reports`),
  more: (count: number) => `And ${count} more, from the same networks or less serious`,
  deleted: 'Deleted',
  disabled: 'Disabled',
  suspended: 'Workspace suspended',
  destination: 'Destination',
  now: 'Now goes to',
  workspace: 'Workspace',
  nobody: 'Deleted',
  reasons: {
    phishing: 'Phishing or malware',
    spam: 'Spam',
    illegal: 'Illegal content',
    other: 'Something else',
  },
  closed: (when: string, who: string | null) =>
    who === null ? `closed ${when}` : `closed ${when} by ${who}`,
  actions: {
    block_host: 'Block host',
    disable_link: 'Disable link',
    suspend_workspace: 'Suspend workspace',
    dismiss: 'Dismiss',
  },
  ask: {
    block_host: (host: string) => `Block ${host}?`,
    disable_link: (link: string) => `Disable ${link}?`,
    suspend_workspace: (name: string) => `Suspend the workspace ${name}?`,
  },
  askText: {
    block_host:
      'All links to this host and its subdomains show a notice, and nobody can create new ones. The reports are closed.',
    disable_link: 'Visitors see a notice. The owner can enable the link again. The reports are closed.',
    suspend_workspace:
      'All its links show a notice, and its API keys are refused. Members who belong to no other workspace are signed out and cannot sign in. The reports are closed.',
  },
  done: {
    block_host: (host: string) => `${host} is blocked`,
    disable_link: (link: string) => `${link} is disabled`,
    suspend_workspace: (name: string) => `${name} is suspended`,
    dismiss: (link: string) => `The reports about ${link} are dismissed`,
  },
  reopened: (link: string) => `The reports about ${link} are open again`,
}
