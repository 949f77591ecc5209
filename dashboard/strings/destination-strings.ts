const FAILURES = {
  'no-public-address': 'host not found or private',
  port: 'only ports 80, 443, 8080 and 8443 are checked',
  certificate: 'invalid certificate',
  unreachable: 'can’t reach this site',
}

const listed = (names: string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const destinationStrings = {
  reachable: 'Reachable',
  notReachable: (why: string) => `Not reachable: ${why}`,
  redirects: (to: string) => `Redirects to ${to}`,
  failures: FAILURES,
  noTitle: 'No title found',
  notLookedAt: 'Could not look at this page',
  found: (names: string[]) => `${listed(names)} found`,
  parts: { title: 'page title', icon: 'icon', image: 'image' },
  again: 'Fetch again',
  looking: 'Looking at the page',
}
