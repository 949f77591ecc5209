/** Texts about API keys that can be published. Loaded with the page of keys. */
export const keyStrings = {
  publish: 'Make it safe to publish',
  publishText:
    'For a web page or an app, where everyone can read it. It only creates links, within these limits.',
  domain: 'Domain',
  domainHint: 'Its links are on this domain only.',
  prefix: 'Codes begin with',
  prefixHint: 'For example shop-. Codes that are assigned begin with it too.',
  hosts: 'Destination hosts',
  hostsHint: 'Its links lead to these hosts and their subdomains only. Separate with commas.',
  perDay: 'Links per day',
  perDayHint: 'Counted by UTC days.',
  origins: 'Web pages',
  originsHint:
    'Browsers may use it on these pages only, for example https://www.example.com. Separate with commas.',
  noLimit: 'No limit',
  anywhere: 'Anywhere',
  noPages: 'No web pages',
  none: 'Set at least one limit.',
  isPublic: 'Public',
  limits: {
    domain: (host: string) => `on ${host}`,
    prefix: (prefix: string) => `codes ${prefix}…`,
    hosts: (hosts: string) => `to ${hosts}`,
    perDay: (count: string) => `${count} a day`,
    origins: (origins: string) => `used on ${origins}`,
  },
}
