import { EllipsisVertical } from 'lucide-react'
import type { ComponentProps } from 'react'

/** Opens a menu. In a file of its own, because it is shown before menus are loaded. */
export const MenuButton = (props: ComponentProps<'button'>) => (
  <button type="button" className="button is-quiet is-icon" {...props}>
    <EllipsisVertical size={17} aria-hidden />
  </button>
)
