import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import type { Option } from '../../components/pickers/option-rows.ts'
import { labelColor } from '../../components/tag.tsx'
import { shortNumber } from '../../format.ts'

/** Those that the list of its name shows: archived links are left out of it. */
export const listedLinks = ({ link_count: links, archived_link_count: archived }: LabelView): number =>
  links - archived

/** Of tags or folders, to choose by name. */
export const labelOptions = (labels: readonly LabelView[] | undefined): Option[] | undefined =>
  labels?.map((label) => ({
    value: label.name,
    label: label.name,
    color: labelColor(label.color),
    detail: shortNumber(listedLinks(label)),
  }))

/** How tags are sent. The last one may still be being typed. */
export const tagsInput = (tags: readonly string[]) =>
  tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
