const FAILURES = {
  'no-public-address': 'Can’t reach this site',
  port: 'Port not checked',
  certificate: 'Invalid certificate',
  unreachable: 'Can’t reach this site',
}

const listed = (names: string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export const destinationStrings = {
  reachable: 'Reachable',
  notReachable: (status: number | null) => (status === null ? FAILURES.unreachable : `Error ${status}`),
  redirects: (to: string) => `Redirects to ${to}`,
  failures: FAILURES,
  noTitle: 'No title found',
  notLookedAt: 'Couldn’t load this page',
  found: (names: string[]) => `${listed(names)} found`,
  parts: { title: 'page title', icon: 'icon', image: 'image' },
  again: 'Fetch again',
  looking: 'Looking at the page',
}
