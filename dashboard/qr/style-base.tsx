import { Bookmark } from 'lucide-react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Select } from '../components/fields/field.tsx'
import { qrStrings } from './qr-strings.ts'
import type { Base, StyleChoice } from './use-style-choice.ts'

/** Whose style the code has, whether it is kept with the link, and keeping it for the workspace. */
export function StyleBase({ choice }: { choice: StyleChoice }) {
  const strings = qrStrings
  return (
    <div className="qr-base">
      <Select
        aria-label={strings.base}
        size="small"
        value={choice.base}
        onChoice={choice.begin}
        choices={basesFor(choice.base).map((value) => ({ value, label: strings.bases[value] }))}
      />
      <span role="status">{choice.isOwn && <Badge>{strings.kept[choice.kept]}</Badge>}</span>
      <Button
        variant="quiet"
        size="small"
        icon={Bookmark}
        disabled={choice.isShared}
        isBusy={choice.isSaving}
        onClick={choice.save}
      >
        {strings.save}
      </Button>
    </div>
  )
}

/** A style of the link itself is made by changing another. */
const basesFor = (base: Base): Base[] =>
  base === 'link' ? ['link', 'workspace', 'plain'] : ['workspace', 'plain']
