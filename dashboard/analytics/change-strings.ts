/** The English texts of comparisons with the period before. */
export const changeStrings = {
  new: 'New',
  newHint: 'There is no full period before this one to compare with.',
  noneBefore: 'There is nothing in the previous period to compare with.',
  none: 'No change',
  from: (before: string) => `from ${before}`,
  hints: {
    hour: (count: string) =>
      count === '1'
        ? 'Compares 1 full hour with the previous period.'
        : `Compares the ${count} full hours with the previous period.`,
    day: (count: string) =>
      count === '1'
        ? 'Compares 1 full day with the previous period.'
        : `Compares the ${count} full days with the previous period.`,
    month: (count: string) =>
      count === '1'
        ? 'Compares 1 full month with the previous period.'
        : `Compares the ${count} full months with the previous period.`,
  },
}
