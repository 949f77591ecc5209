import { use } from 'react'
import type { KeyRestrictions } from '../../src/access/key-restrictions.ts'
import { FormError, TextField } from '../components/fields/field.tsx'
import { errorsBelow } from '../components/states.tsx'
import { keyStrings as texts } from './key-strings.ts'

/** As they are typed. */
export type KeyLimits = Record<keyof KeyRestrictions, string>

export const NO_LIMITS: KeyLimits = {
  domain: '',
  code_prefix: '',
  destination_hosts: '',
  links_per_day: '',
  origins: '',
}

const listIn = (text: string) => text.split(/[\s,]+/).filter((item) => item !== '')

/** What is empty is absent. */
export function restrictionsIn(limits: KeyLimits): KeyRestrictions {
  const hosts = listIn(limits.destination_hosts)
  const origins = listIn(limits.origins)
  const domain = limits.domain.trim()
  const prefix = limits.code_prefix.trim()
  return {
    ...(domain === '' ? {} : { domain }),
    ...(prefix === '' ? {} : { code_prefix: prefix }),
    ...(hosts.length === 0 ? {} : { destination_hosts: hosts }),
    ...(limits.links_per_day === '' ? {} : { links_per_day: Number(limits.links_per_day) }),
    ...(origins.length === 0 ? {} : { origins }),
  }
}

/** In words, for a list of keys. */
export function restrictionTexts(restrictions: KeyRestrictions): string[] {
  const {
    domain,
    code_prefix: prefix,
    destination_hosts: hosts,
    links_per_day: perDay,
    origins,
  } = restrictions
  return [
    domain && texts.limits.domain(domain),
    prefix && texts.limits.prefix(prefix),
    hosts && texts.limits.hosts(hosts.join(', ')),
    perDay && texts.limits.perDay(String(perDay)),
    origins && texts.limits.origins(origins.join(', ')),
  ].filter((text): text is string => Boolean(text))
}

const FIELDS = [
  { name: 'code_prefix', label: texts.prefix, hint: texts.prefixHint, placeholder: texts.noLimit },
  { name: 'destination_hosts', label: texts.hosts, hint: texts.hostsHint, placeholder: texts.anywhere },
  { name: 'links_per_day', label: texts.perDay, hint: texts.perDayHint, placeholder: texts.noLimit },
  { name: 'origins', label: texts.origins, hint: texts.originsHint, placeholder: texts.noPages },
  { name: 'domain', label: texts.domain, hint: texts.domainHint, placeholder: texts.noLimit },
] as const

const NUMBER = { type: 'number', inputMode: 'numeric', min: 1 } as const

type KeyLimitFieldsProps = { limits: KeyLimits; onLimits: (limits: KeyLimits) => void }

export function KeyLimitFields({ limits, onLimits }: KeyLimitFieldsProps) {
  const error = use(FormError)
  return FIELDS.map(({ name, ...parts }) => (
    <TextField
      key={name}
      {...parts}
      {...(name === 'links_per_day' && NUMBER)}
      value={limits[name]}
      onText={(text) => onLimits({ ...limits, [name]: text })}
      errors={errorsBelow(error, `restrictions.${name}`)}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  ))
}
