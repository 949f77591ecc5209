import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { strings } from '../../strings.ts'

/** Opens the menu of formats. Disabled while that is loading. */
export const ExportButton = (props: ComponentProps<'button'>) => (
  <button type="button" className="button is-quiet is-medium" {...props}>
    <Download size={16} aria-hidden />
    {strings.links.export}
  </button>
)
