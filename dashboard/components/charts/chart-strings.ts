/** The English texts of charts and the world map. */
export const chartStrings = {
  measures: { clicks: 'Clicks', unique_visitors: 'Unique visitors', qr_scans: 'QR scans', bots: 'Bots' },
  previous: { previous: 'Previous period', year: 'One year before' },
  previousOf: (measure: string) => `${measure} before`,
  time: 'Time',
  imported: 'Imported clicks',
  ofThese: 'Of these, imported',
  summary: (measure: string, total: string, range: string) => `${measure}, ${range}: ${total}.`,
  soFar: {
    hour: (time: string) => `This hour so far, until ${time}`,
    day: (time: string) => `Today so far, until ${time}`,
    week: (time: string) => `This week so far, until ${time}`,
    month: (time: string) => `This month so far, until ${time}`,
  },
  weekOf: (monday: string) => `Week of ${monday}`,
  soFarMark: (label: string) => `${label}, so far`,
  created: (date: string) => `Created ${date}`,
  zoomHint: 'Drag to zoom, double-click to zoom out.',
  count: 'Clicks',
  share: 'Share',
  download: 'Download CSV',
  asTable: 'Show as table',
  asPicture: 'Show as chart',
  tableOf: (title: string) => `${title}, as a table`,
  map: 'World map of clicks by country',
  mapPlace: (country: string, clicks: string, share: string) =>
    `${country}: ${clicks === '1' ? '1 click' : `${clicks} clicks`}, ${share}`,
}
