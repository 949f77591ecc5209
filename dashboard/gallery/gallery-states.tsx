import { Inbox } from 'lucide-react'
import { BarList } from '../components/bar-list.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { StatTile } from '../components/stat-tile.tsx'
import { Empty, Failed, Notice } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { RequestFailure } from '../request.ts'
import { Group } from './gallery-group.tsx'

const nothing = () => {}

const COLUMNS = [
  { id: 'name', head: 'Name', cell: ({ name }: { name: string }) => name },
  { id: 'clicks', head: 'Clicks', isNumber: true, label: 'Clicks', cell: () => 12 },
]

export const States = () => (
  <>
    <TableStates />
    <Group title="Notice lines">
      <Notice>Something to know.</Notice>
      <Notice tone="warn">Something to mind.</Notice>
      <Notice tone="bad">Something that went wrong.</Notice>
    </Group>
    <Tiles />
    <Bars />
  </>
)

const TableStates = () => (
  <div className="two-columns">
    <Card title="Table">
      <Table
        caption="Rows"
        columns={COLUMNS}
        rows={[{ name: 'launch' }, { name: 'map' }]}
        keyOf={({ name }) => name}
      />
    </Card>
    <Card title="Table while loading">
      <Table
        caption="Rows to come"
        columns={COLUMNS}
        rows={undefined}
        keyOf={({ name }) => name}
        skeletonRows={2}
      />
    </Card>
    <div className="card">
      <Empty icon={Inbox} title="Nothing here yet" text="And this is the next step.">
        <Button variant="primary">Create link</Button>
      </Empty>
    </div>
    <div className="card">
      <Failed
        what="Links"
        error={new RequestFailure('fault', 'Something went wrong on our side.', { requestId: '0196-a1b2' })}
        onRetry={nothing}
      />
    </div>
  </div>
)

const Tiles = () => (
  <div className="tiles">
    <StatTile
      label="Clicks"
      value={128_340}
      compared={{ now: 124_000, before: 112_000, hint: 'Compares the 29 full days.' }}
      series={[1, 4, 2, 8, 5, 9]}
      help="All of them."
    />
    <StatTile
      label="Falling"
      value={940}
      compared={{ now: 940, before: 1_800, hint: 'Compares the 29 full days.' }}
      series={[9, 7, 5, 4, 2, 1]}
    />
    <StatTile label="New" value={12} compared={{ now: 12, before: null, hint: '' }} />
    <StatTile label="No change" value={1_800} compared={{ now: 1_800, before: 1_802, hint: 'Compares.' }} />
    <StatTile label="Nothing" value={0} series={[0, 0, 0, 0]} />
    <StatTile label="Loading" value={undefined} />
  </div>
)

const Bars = () => (
  <div className="two-columns">
    <Card title="Bars">
      <BarList
        label="Bars"
        bars={[
          { label: 'Germany', clicks: 1200, percentage: 60 },
          {
            label: 'A name that is far too long for the place that it has in its narrow card',
            clicks: 800,
            percentage: 40,
          },
        ]}
      />
    </Card>
    <Card title="Bars while loading">
      <BarList label="Bars to come" bars={undefined} />
    </Card>
  </div>
)
