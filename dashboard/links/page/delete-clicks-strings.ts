import { fullNumber } from '../../format.ts'

const clickCount = (clicks: number) => (clicks === 1 ? '1 click' : `${fullNumber(clicks)} clicks`)

/** The English texts about deleting the clicks of a link. */
export const deleteClicksStrings = {
  action: 'Delete clicks',
  title: (code: string, clicks: number) => `Delete ${clickCount(clicks)} of ${code}?`,
  text: 'They are removed from all analytics, together with the bot clicks and the imported clicks of this link. This can’t be undone. The link stays as it is, and what its visitors have used of a click limit stays used.',
  deleted: (code: string, clicks: number) => `${clickCount(clicks)} of ${code} deleted`,
  failed: (reason: string) => `Not deleted: ${reason}`,
}
