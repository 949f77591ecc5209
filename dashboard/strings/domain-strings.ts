import { fullNumber } from '../format.ts'

/** Texts of domains. Loaded with the pages that show them. */
export const domainStrings = {
  title: 'Domains',
  lead: 'Each domain has its own codes. The same code on two domains is two links.',
  add: 'Add domain',
  addText: 'A domain or subdomain that you own and that is used for nothing else.',
  emptyTitle: 'Use your own domain',
  empty: 'Codes on it are separate.',
  name: 'Domain',
  columns: { domain: 'Domain', dns: 'DNS', tls: 'TLS', links: 'Links', home: 'Home page', menu: 'Actions' },
  default: 'Default',
  shared: 'Shared',
  notSet: 'Not set',
  menuOf: (host: string) => `More for ${host}`,
  settings: 'Settings',
  makeDefault: 'Make default',
  check: 'Check now',
  remove: 'Remove domain',
  isDefaultNow: (host: string) => `New links are on ${host}.`,
  status: {
    active: 'Points here',
    pending: 'Not verified',
    failing: 'Does not point here',
  },
  certificateOf: 'TLS certificate',
  certificate: {
    valid: 'Valid',
    until: (date: string) => `until ${date}`,
    expiresSoon: (time: string) => `Expires ${time}`,
    expires: (date: string) => `on ${date}`,
    expired: (date: string) => `Expired ${date}`,
    wrong_host: 'Wrong host',
    self_signed: 'Self-signed',
    incomplete_chain: 'Incomplete chain',
    untrusted: 'Not trusted',
    no_answer: 'No answer',
    warned: 'visitors see a warning',
    unreachable: 'visitors cannot connect',
    afterDns: 'After DNS',
    unknown: 'Not checked',
  },
  certificateBroken: {
    expired: (host: string) => `The certificate of ${host} has expired.`,
    wrong_host: (host: string) => `${host} has the certificate of another host.`,
    self_signed: (host: string) => `The certificate of ${host} is self-signed.`,
    incomplete_chain: (host: string) => `The intermediate certificate of ${host} is missing.`,
    untrusted: (host: string) => `The certificate of ${host} is not trusted by browsers.`,
    no_answer: (host: string) => `${host} does not answer with TLS.`,
  },
  certificateWarned: 'Browsers warn visitors of its links.',
  certificateMissing: 'Its links cannot be opened.',
  certificateWay:
    'Ask the operator of this server for a certificate, or set up the proxy in front of the domain.',
  checked: (time: string) => `checked ${time}`,
  since: (time: string) => `since ${time}`,
  failing: (host: string) => `${host} does not point to this server.`,
  toVerify: (host: string) => `${host} is not verified.`,
  cannotOpen: (links: number) =>
    links === 0
      ? 'Links there cannot be opened.'
      : links === 1
        ? '1 link there cannot be opened.'
        : `${fullNumber(links)} links there cannot be opened.`,
  showRecord: 'Show the records to set',
  recordsTitle: 'Set these records where you bought the domain',
  recordName: (type: string) => `Name of the ${type} record`,
  recordValue: (type: string) => `Value of the ${type} record`,
  bareDomain: (base: string) =>
    `A domain without a subdomain cannot have a CNAME: set A and AAAA records with the addresses of ${base}.`,
  file: (path: string) => `Instead of the TXT record, a file at ${path} with its value proves it too.`,
  waiting: 'Wait for the check',
  looking: 'Looking…',
  waitingFor: {
    records: 'Checked again every 15 seconds while this is open. A new record can take an hour to be seen.',
    certificate: 'Checked again every minute while this is open, until there is a valid certificate.',
    stopped: 'Automatic checks have stopped. Select Check now to start them again.',
  },
  found: 'The domain is verified and points here.',
  done: 'Done',
  pages: 'Where visitors land',
  home: 'Home page',
  homeHint: (host: string) => `When someone opens ${host} without a code.`,
  notFound: 'Unknown code',
  notFoundHint: 'When the code does not exist. Left empty, visitors see the notice page.',
  expired: 'Expired link',
  expiredHint: 'When a link has expired or reached its limit, and has no fallback URL of its own.',
  saved: 'Saved.',
  ownership: 'Records',
  removeTitle: (host: string) => `Remove ${host}?`,
  removeText: (links: number) =>
    links === 0
      ? 'It has no links.'
      : links === 1
        ? '1 link stops working at once. It and its analytics stay.'
        : `${fullNumber(links)} links stop working at once. They and their analytics stay.`,
  removeConfirm: (host: string) => `Type ${host} to confirm`,
  removed: (host: string) => `${host} is removed.`,
  tls: 'Certificates are issued by the proxy in front of this server. With Caddy and the file in deploy/ this happens at the first visit; other proxies can ask at',
}
