import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { labelStrings } from './label-strings.ts'
import { LabelList } from './label-list.tsx'

const KINDS = ['tags', 'folders'] as const

/** The same as the page, for who is in the middle of something else. */
const LabelsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={labelStrings.title}
    width="wide"
    onClose={onClose}
    foot={<Button onClick={onClose}>{labelStrings.done}</Button>}
  >
    <Tabs
      label={labelStrings.title}
      tabs={KINDS.map((kind) => ({
        id: kind,
        label: labelStrings.kinds[kind].title,
        content: <LabelList kind={kind} hasLinks={false} />,
      }))}
    />
  </Dialog>
)

export default LabelsDialog
