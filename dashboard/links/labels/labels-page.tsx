import { LabelList } from './label-list.tsx'
import { labelStrings } from './label-strings.ts'
import { TabbedPage } from '../../components/page.tsx'

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
