/** What makes a key safe to publish, in a web page for example. A key with any limit of links can only create them. */
export type KeyRestrictions = {
  /** The host of the only domain on which it creates links. */
  domain?: string | undefined
  /** What every code of its links begins with. */
  code_prefix?: string | undefined
  /** Where its links may lead: these hosts and their subdomains. */
  destination_hosts?: readonly string[] | undefined
  /** How many links it creates on one UTC day. */
  links_per_day?: number | undefined
  /** From which pages browsers may use it: the API answers their scripts, and no others. */
  origins?: readonly string[] | undefined
}

/** Whether it bounds the links that the key creates. */
export const limitsLinks = ({ origins: _, ...limits }: KeyRestrictions): boolean =>
  Object.values(limits).some((limit) => limit !== undefined)
