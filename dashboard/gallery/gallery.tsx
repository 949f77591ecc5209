import { Pencil, Plus, Trash2 } from 'lucide-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Button, ButtonLink, IconButton } from '../components/button.tsx'
import { CodeBlock, CopyButton } from '../components/copy.tsx'
import { DOMAIN_LIST } from '../domains/domain-queries.ts'
import { Dialog } from '../components/dialog.tsx'
import { Select, SelectField, TextArea, TextField } from '../components/field.tsx'
import { LiveBadge } from '../components/live-badge.tsx'
import { Menu } from '../components/menu.tsx'
import { Progress } from '../components/states.tsx'
import { Switch, SwitchRow } from '../components/switch.tsx'
import { Segments, Tabs } from '../components/tabs.tsx'
import { Toasts, useToast } from '../components/toasts.tsx'
import { TooltipProvider } from '../components/tooltip.tsx'
import { DataParts } from './gallery-data.tsx'
import { DomainParts, DOMAINS } from './gallery-domains.tsx'
import { Group } from './gallery-group.tsx'
import { galleryClient } from './gallery-session.ts'
import { LinkParts } from './gallery-links.tsx'
import { ListParts } from './gallery-lists.tsx'
import { LinkTestParts } from './gallery-tests.tsx'
import { OptionParts } from './gallery-options.tsx'
import { PaletteParts } from './gallery-palette.tsx'
import { RuleParts } from './gallery-rules.tsx'
import { QrParts } from './gallery-qr.tsx'
import { States } from './gallery-states.tsx'

// Every component in every state, for development and tests. Not part of the product.

const nothing = () => {}
const CHOICES = [
  { value: 'one', label: 'Newest first' },
  { value: 'two', label: 'Most clicks' },
]

const Buttons = () => (
  <Group title="Button">
    {(['plain', 'primary', 'danger', 'quiet'] as const).map((variant) => (
      <span key={variant} className="actions">
        <Button variant={variant}>Create link</Button>
        <Button variant={variant} icon={Plus}>
          With icon
        </Button>
        <Button variant={variant} isBusy>
          Busy
        </Button>
        <Button variant={variant} disabled>
          Disabled
        </Button>
      </span>
    ))}
    <ButtonLink href="#there">A link</ButtonLink>
    <Button size="small">Small</Button>
    <IconButton label="Edit" icon={Pencil} />
    <IconButton label="Delete" icon={Trash2} disabled />
  </Group>
)

const Fields = () => (
  <Group title="Field">
    <TextField label="At rest" hint="A hint beneath" />
    <TextField label="Filled" value="https://example.com" readOnly={false} onText={nothing} />
    <TextField
      label="Wrong"
      value="example"
      onText={nothing}
      errors={['The original url must be an absolute address.']}
    />
    <TextField label="Disabled" value="Not now" disabled />
    <TextField label="Read only" value="launch" readOnly />
    <TextField label="With a badge" value="launch" onText={nothing} suffix={<Badge tone="ok">Free</Badge>} />
    <TextArea
      label="Many lines"
      value={'https://example.com/a\nhttps://example.com/b'}
      onText={nothing}
      rows={4}
    />
    <SelectField label="Select" choices={CHOICES} value="one" onChoice={nothing} />
    <Select aria-label="Disabled select" choices={CHOICES} value="two" onChoice={nothing} disabled />
  </Group>
)

const Small = () => (
  <>
    <Group title="Switch">
      <Switch label="Off" isOn={false} onSwitch={nothing} />
      <Switch label="On" isOn onSwitch={nothing} />
      <Switch label="Off, disabled" isOn={false} onSwitch={nothing} isDisabled />
      <Switch label="On, disabled" isOn onSwitch={nothing} isDisabled />
      <SwitchRow label="Read links" text="List links and see where they lead." isOn onSwitch={nothing} />
    </Group>
    <Group title="Badge">
      {(['plain', 'ok', 'warn', 'bad', 'data', 'outlined'] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
      {(['connecting', 'live', 'reconnecting'] as const).map((state) => (
        <LiveBadge key={state} state={state} />
      ))}
      <InitialBadge name="example.com" />
      <InitialBadge name="Ada" shape="round" />
    </Group>
    <Group title="Copy">
      <CopyButton text="launch" />
      <CodeBlock label="curl" text={'curl https://go.example.com/api/links -H "X-API-Key: tern_abc"'} />
    </Group>
    <Group title="Tabs and segments">
      <Tabs
        label="Example tabs"
        tabs={[
          { id: 'a', label: 'Browsers', content: <p>Browsers</p> },
          { id: 'b', label: 'Systems', content: <p>Systems</p> },
          { id: 'c', label: 'Disabled', content: null, isDisabled: true },
        ]}
      />
      <Segments label="Range" choices={CHOICES} value="one" onChoice={nothing} />
    </Group>
    <Group title="Progress">
      {[0, 40, 85, 100].map((value) => (
        <div key={value} style={{ width: 160 }}>
          <Progress label={`${value} of 100`} value={value} max={100} />
        </div>
      ))}
    </Group>
  </>
)

function Floating() {
  const [isOpen, setOpen] = useState(false)
  const toast = useToast()
  return (
    <Group title="What floats">
      <Menu
        label="More"
        items={[
          { label: 'Edit', icon: Pencil },
          { label: 'Not now', icon: Plus, isDisabled: true },
          { kind: 'line' },
          { label: 'Delete', icon: Trash2, isDanger: true },
        ]}
      />
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <Button onClick={() => toast({ text: 'launch is deleted', onUndo: nothing, shownMs: 60_000 })}>
        Show toast
      </Button>
      <Button
        onClick={() => toast({ text: 'Not changed: the server said no.', tone: 'bad', shownMs: 60_000 })}
      >
        Show bad toast
      </Button>
      {isOpen && (
        <Dialog
          title="Edit link"
          onClose={() => setOpen(false)}
          foot={
            <>
              <Button onClick={() => setOpen(false)}>Cancel</Button>
              <Button variant="primary">Save changes</Button>
            </>
          }
        >
          <TextField label="Destination" value="https://example.com/" onText={nothing} />
        </Dialog>
      )}
    </Group>
  )
}

const client = galleryClient()
client.setQueryData(DOMAIN_LIST, DOMAINS)

const Gallery = () => (
  <QueryClientProvider client={client}>
    <TooltipProvider>
      <Toasts>
        <main className="content">
          <div className="page">
            <h1>All parts in all states</h1>
            <Buttons />
            <Fields />
            <Small />
            <LinkParts />
            <LinkTestParts />
            <OptionParts />
            <ListParts />
            <PaletteParts />
            <DomainParts />
            <RuleParts />
            <Floating />
            <States />
            <QrParts />
            <DataParts />
          </div>
        </main>
      </Toasts>
    </TooltipProvider>
  </QueryClientProvider>
)

createRoot(document.getElementById('root')!).render(<Gallery />)
