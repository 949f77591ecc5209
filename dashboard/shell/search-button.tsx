import { Search } from 'lucide-react'
import { strings } from '../strings.ts'

type SearchButtonProps = { keys?: string; onClick?: (() => void) | undefined }

/** Opens the command palette. Disabled until it can. */
export const SearchButton = ({ keys, onClick }: SearchButtonProps) => (
  <button
    type="button"
    className="search-button"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    disabled={onClick === undefined}
    onClick={onClick}
  >
    <Search size={16} aria-hidden />
    <span>{strings.nav.search}</span>
    {keys && <kbd aria-hidden>{keys}</kbd>}
  </button>
)
