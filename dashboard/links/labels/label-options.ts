import type { LabelView } from '../../../src/http/dashboard-api/types/link-types.ts'
import type { Option } from '../../components/option-rows.ts'
import { labelColor } from '../../components/tag.tsx'
import { shortNumber } from '../../format.ts'

/** Of tags or folders, to choose by name. */
export const labelOptions = (labels: readonly LabelView[] | undefined): Option[] | undefined =>
  labels?.map(({ name, color, link_count: links }) => ({
    value: name,
    label: name,
    color: labelColor(color),
    detail: shortNumber(links),
  }))
