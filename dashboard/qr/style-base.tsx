import { Bookmark } from 'lucide-react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Select } from '../components/field.tsx'
import { qrStrings } from '../strings/qr-strings.ts'
import type { Base, StyleChoice } from './use-style-choice.ts'

/** Which style the code begins with, whether it differs, and keeping it for the workspace. */
export function StyleBase({ choice }: { choice: StyleChoice }) {
  const strings = qrStrings
  return (
    <div className="qr-base">
      <Select
        aria-label={strings.base}
        size="small"
        value={choice.base}
        onChoice={choice.begin}
        choices={(Object.keys(strings.bases) as Base[]).map((value) => ({
          value,
          label: strings.bases[value],
        }))}
      />
      {choice.isChanged && <Badge>{strings.changed}</Badge>}
      <Button
        variant="quiet"
        size="small"
        icon={Bookmark}
        disabled={choice.isOwn}
        isBusy={choice.isSaving}
        onClick={choice.save}
      >
        {strings.save}
      </Button>
    </div>
  )
}
