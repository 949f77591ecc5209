import { ChevronDown, Clock } from 'lucide-react'
import { useState } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { Button, IconButton } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { Diff } from '../components/diff.tsx'
import { Section } from '../components/section.tsx'
import { SidePanel } from '../components/side-panel.tsx'
import { TimeField } from '../components/time-field.tsx'
import { newForm } from '../links/editor/link-form.ts'
import { LinkPreview } from '../links/editor/link-preview.tsx'
import type { LookedAt } from '../links/editor/use-destination.ts'
import { SocialCard } from '../links/editor/social-card.tsx'
import { LinkBadges } from '../links/link-badges.tsx'
import { nowMs } from '../now.ts'
import { ofPlainTexts } from '../strings/field-strings.ts'
import { Group } from './gallery-group.tsx'

export const PLAIN: OwnLink = {
  id: 1,
  domain: 'nls.example',
  short_code: 'winter',
  short_url: 'https://nls.example/winter',
  original_url: 'https://www.northlight-supply.com/collections/winter',
  aliases: [],
  tags: ['Winter 2026'],
  folder: null,
  utm: null,
  title: 'Winter collection 2026: jackets, merino and everything for the first snow',
  click_count: 148_213,
  opened: 148_213,
  qr_code_url: 'https://nls.example/qr/winter',
  is_active: true,
  created_at: '2026-09-03T07:00:00.000000Z',
  status: 'active',
  starts_at: null,
  expires_at: null,
  max_clicks: null,
  fallback_url: null,
  forward_query: false,
  has_password: false,
  redirect_status: 302,
  rules: null,
  social_title: null,
  social_description: null,
  social_image_url: null,
  archived: false,
  notes: null,
  ...ofPlainTexts(() => null),
  qr_style: null,
  version: 1,
}

const inDays = (days: number) => new Date(nowMs() + days * 86_400_000).toISOString()

const STATES: Partial<OwnLink>[] = [
  { status: 'blocked' },
  { status: 'disabled', is_active: false },
  { status: 'expired', expires_at: inDays(-20) },
  { status: 'limit_reached' },
  { status: 'scheduled', starts_at: inDays(20) },
  { expires_at: inDays(9), has_password: true, rules: [{ to: 'https://www.northlight-supply.jp/' }] },
  { status: 'expired', expires_at: inDays(-400), archived: true },
]

export const LinkParts = () => (
  <>
    <Group title="Badges of a link">
      {STATES.map((state, at) => (
        <LinkBadges key={at} link={{ ...PLAIN, ...state }} />
      ))}
    </Group>
    <Group title="Social card">
      {CARDS.map((card, at) => (
        <div key={at} style={{ width: 310 }}>
          <SocialCard
            form={{ ...newForm(PLAIN.original_url), ...card }}
            shortUrl="https://nls.example/winter"
          />
        </div>
      ))}
    </Group>
    <Group title="Destination">
      {LOOKS.map((looked, at) => (
        <div key={at} style={{ width: 'min(480px, 100%)' }}>
          <LinkPreview looked={looked} />
        </div>
      ))}
    </Group>
    <Group title="Times">
      <TimeField {...TIME} value="" />
      <TimeField {...TIME} value="2026-12-01T09:00" hint="A hint beneath" />
      <TimeField {...TIME} value="2026-12-01T09:00" errors={['The end must be after the start.']} />
    </Group>
    <div className="sections">
      <Section icon={Clock} title="Closed, set" summary="Ends Dec 1" isSet hasErrors={false}>
        Inside
      </Section>
      <Section icon={Clock} title="Closed, not set" summary="Always on" isSet={false} hasErrors={false}>
        Inside
      </Section>
      <Section icon={Clock} title="With an error" summary="Always on" isSet={false} hasErrors>
        <TextField label="Wrong" defaultValue="wrong" errors={['This is not a URL.']} />
      </Section>
    </div>
    <Diffs />
    <Panel />
  </>
)

const Diffs = () => (
  <Group title="Diff">
    {DIFFS.map(([before, after], at) => (
      <div key={at} style={{ width: 480 }}>
        <Diff before={before} after={after} />
      </div>
    ))}
  </Group>
)

const nothing = () => {}
const DIFFS: [before: string[], after: string[]][] = [
  [
    ['www.northlight-supply.com/collections/winter-preview'],
    ['www.northlight-supply.com/collections/winter'],
  ],
  [['Never'], ['Dec 1, 2026, 9:00 AM']],
  [
    ['Rule 1: country JP → northlight.jp', 'Rule 2: Everyone → northlight-supply.com'],
    ['Rule 1: country JP → northlight.jp', `Rule 2: Everyone → ${'northlight-supply.com/'.repeat(4)}`],
  ],
  [
    ['winter', 'schnee'],
    ['winter', '冬セール', 'w26'],
  ],
]
const TIME = { label: 'Ends', names: { date: 'End date', time: 'End time' }, none: 'Never', onTime: nothing }
const CARDS = [
  {},
  { original_url: '' },
  { social_title: PLAIN.title },
  {
    social_title: 'The first snow is here',
    social_description: 'Insulated jackets, merino base layers and 40 more reasons to go outside.',
    social_image_url: 'https://cdn.northlight-supply.com/winter.jpg',
  },
]

function Panel() {
  const [isOpen, setOpen] = useState(false)
  const [tab, setTab] = useState('form')
  return (
    <Group title="Side panel">
      <Button onClick={() => setOpen(true)}>Open panel</Button>
      {isOpen && (
        <SidePanel
          title="Edit link"
          about={<strong className="cut">nls.example/winter</strong>}
          tools={<IconButton icon={ChevronDown} label="Next link" />}
          onClose={() => setOpen(false)}
          formName="Link"
          asidesName="Preview"
          asides={[
            {
              value: 'preview',
              label: 'Preview',
              icon: Clock,
              content: <h3>In chats and social networks</h3>,
            },
          ]}
          aside="preview"
          tab={tab}
          onTab={setTab}
          onKeyDown={nothing}
          form={<TextField label="Destination" defaultValue={PLAIN.original_url} />}
          foot={<Button onClick={() => setOpen(false)}>Cancel</Button>}
        />
      )}
    </Group>
  )
}

const [OK, MISSING] = [200, 404]
const LOOKED = { url: PLAIN.original_url, isLooking: false, again() {} }
const LOOK: NonNullable<LookedAt['look']> = {
  redirects_to: null,
  status: OK,
  failure: null,
  title: 'Winter collection 2026: jackets, merino and everything for the first snow',
  description: null,
  icon_url: null,
  image_url: null,
}
const LOOKS: LookedAt[] = [
  { ...LOOKED, isLooking: true, look: undefined },
  { ...LOOKED, look: LOOK },
  { ...LOOKED, look: { ...LOOK, redirects_to: 'https://www.northlight-supply.example/', title: null } },
  { ...LOOKED, look: { ...LOOK, status: MISSING, title: null } },
  { ...LOOKED, look: { ...LOOK, status: null, failure: 'no-public-address', title: null } },
  { ...LOOKED, look: null },
]
