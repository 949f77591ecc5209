import { X } from 'lucide-react'
import { strings } from '../../strings.ts'

export const CloseButton = ({ onClose }: { onClose: () => void }) => (
  <button
    type="button"
    className="button is-quiet is-icon"
    aria-label={strings.actions.close}
    onClick={onClose}
  >
    <X size={17} aria-hidden />
  </button>
)
