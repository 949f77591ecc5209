import { Folder } from 'lucide-react'

/** The server numbers the colors from 0 to 5. Gray while it is not known. */
export const labelColor = (color: number | undefined): string => `var(--data-${(color ?? 5) + 1})`

export type TagColors = ReadonlyMap<string, number>

const Tag = ({ name, color }: { name: string; color: number | undefined }) => (
  <span className="tag" style={{ '--tag': labelColor(color) } as React.CSSProperties} title={name}>
    <span className="cut">{name}</span>
  </span>
)

type TagsProps = {
  names: readonly string[]
  colors: TagColors
  /** More than these are counted: "+2", with their names in the tooltip. */
  max: number
}

export function Tags({ names, colors, max }: TagsProps) {
  const more = names.slice(max).join(', ')
  return (
    <span className="tags">
      {names.slice(0, max).map((name) => (
        <Tag key={name} name={name} color={colors.get(name)} />
      ))}
      {more !== '' && (
        <span className="tag is-count" title={more}>
          <span aria-hidden>+{names.length - max}</span>
          <span className="only-spoken">{more}</span>
        </span>
      )}
    </span>
  )
}

export const FolderName = ({ name }: { name: string }) => (
  <span className="folder-name" title={name}>
    <Folder size={14} aria-hidden />
    <span className="cut">{name}</span>
  </span>
)
