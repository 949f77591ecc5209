import { LabelList } from './label-list.tsx'
import { labelStrings } from './label-strings.ts'
import { TabbedPage } from '../../components/page.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Tabs } from '../../components/tabs.tsx'

const { kinds } = labelStrings

const LabelsPage = ({ tab }: { tab: string | undefined }) => (
  <TabbedPage
    title={labelStrings.title}
    root="/tags"
    open={tab}
    tabs={[
      { id: 'tags', label: kinds.tags.title, content: <LabelCard kind="tags" /> },
      { id: 'folders', label: kinds.folders.title, content: <LabelCard kind="folders" /> },
    ]}
  />
)

const LabelCard = ({ kind }: { kind: keyof typeof kinds }) => (
  <div className="page-tab">
    <div className="card label-card">
      <LabelList kind={kind} hasLinks />
    </div>
    <p className="hint">{labelStrings.lead}</p>
  </div>
)

export default LabelsPage

const KINDS = ['tags', 'folders'] as const

/** The same as the page, for who is in the middle of something else. */
export const LabelsDialog = ({ onClose }: { onClose: () => void }) => (
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
