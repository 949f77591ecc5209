import { Search } from 'lucide-react'

type SearchFieldProps = { label: string; text: string; onText: (text: string) => void; maxLength?: number }

export const SearchField = ({ label, text, onText, maxLength }: SearchFieldProps) => (
  <span className="input-with">
    <Search size={16} aria-hidden />
    <input
      className="input"
      type="search"
      placeholder={label}
      aria-label={label}
      autoComplete="off"
      maxLength={maxLength}
      value={text}
      onChange={({ target }) => onText(target.value)}
    />
  </span>
)
