import { Bookmark, Plus, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { PaletteFoot } from '../palette/palette-foot.tsx'
import { PaletteList } from '../palette/palette-list.tsx'
import type { PaletteGroup, PaletteRow } from '../palette/palette-rows.ts'
import { addLateStyle } from '../styles/late-style.ts'
import paletteCss from '../styles/palette.css' with { type: 'text' }
import { PLAIN } from './gallery-links.tsx'
import { Group } from './gallery-group.tsx'

addLateStyle(paletteCss)

const nothing = () => {}
const linkRow = (id: number, changes: Partial<typeof PLAIN>): PaletteRow => {
  const link = { ...PLAIN, ...changes, id }
  return { id: `link ${id}`, label: link.short_url, link, run: nothing }
}
const long = 'winter-aermelloses-daunengilet-nordwind-fuer-damen-schwarz'

const GROUPS: PaletteGroup[] = [
  {
    name: 'links',
    rows: [
      linkRow(1, {}),
      linkRow(2, { status: 'disabled', is_active: false, title: '冬のセール：最大40%オフ' }),
      linkRow(3, { short_url: `https://nls.example/${long}`, has_password: true }),
      linkRow(4, { archived: true, title: '' }),
    ],
  },
  {
    name: 'places',
    rows: [
      { id: 'view', label: 'View: Winter campaign', icon: Bookmark, run: nothing },
      { id: 'tag', label: 'Tag: Winter 2026', icon: Tag, detail: '42 links', run: nothing },
    ],
  },
  {
    name: 'actions',
    rows: [
      { id: 'create', label: 'Create link', icon: Plus, keys: '⇧C', run: nothing },
      { id: 'remove', label: 'Delete', icon: Trash2, isDanger: true, run: nothing },
    ],
  },
]

/** Its rows, and its foot. What it does is tested in the dashboard. */
export function PaletteParts() {
  const [isShown, setShown] = useState(false)
  const [active, setActive] = useState(GROUPS[0]!.rows[0])
  return (
    <Group title="Command palette">
      <Button onClick={() => setShown(!isShown)}>Show palette</Button>
      {isShown && (
        <div style={{ width: 'min(680px, 100%)' }}>
          <PaletteList
            id="palette"
            groups={GROUPS}
            active={active}
            search="winter"
            onReach={setActive}
            onRun={nothing}
          />
          <PaletteFoot isLink={false} />
          <PaletteFoot isLink />
        </div>
      )}
    </Group>
  )
}
