/** The IANA time zones that the browser knows, for a list to choose from. */
export const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}))
