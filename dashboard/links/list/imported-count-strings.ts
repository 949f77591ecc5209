/** The English texts of clicks that another program had counted, in the list of links. */
export const importedCountStrings = {
  more: (clicks: string) => `+ ${clicks} imported`,
  title: (clicks: string) =>
    clicks === '1'
      ? '1 click that another program had counted'
      : `${clicks} clicks that another program had counted`,
}
