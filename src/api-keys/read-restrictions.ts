import { z } from 'zod'
import type { KeyRestrictions } from '../access/key-restrictions.ts'

const HOST_LENGTH_MAX = 253
/** Leaves room for the code behind it. */
const PREFIX_LENGTH_MAX = 32
const LIST_MAX = 20
const LINKS_PER_DAY_MAX = 1_000_000

const NOT_A_HOST = 'A host is written like shop.example.com, in lower case.'
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/
const ORIGIN = /^https?:\/\/[a-z0-9._-]{1,253}(?::\d{1,5})?$/
const NOT_AN_ORIGIN =
  'A page is named by its origin, like https://www.example.com, in lower case and without a path.'

const host = z
  .string(NOT_A_HOST)
  .refine((text) => text.length <= HOST_LENGTH_MAX && HOST_NAME.test(text), NOT_A_HOST)
const origin = z
  .string('The :attribute must be a string.')
  .refine((text) => ORIGIN.test(text) && URL.canParse(text), NOT_AN_ORIGIN)
  // As browsers send it: without the usual port.
  .transform((text) => new URL(text).origin)
const listOf = (item: z.ZodType<string>) =>
  z
    .array(z.unknown(), 'The :attribute must be an array.')
    .refine(
      ({ length }) => length >= 1 && length <= LIST_MAX,
      `The :attribute must have between 1 and ${LIST_MAX} items.`,
    )
    .pipe(z.array(item))
    .readonly()

/** Null, or an object without any: the key has none. */
export const keyRestrictions = z
  .strictObject(
    {
      domain: host.optional(),
      code_prefix: z
        .string('The :attribute must be a string.')
        .regex(
          new RegExp(`^[A-Za-z0-9_-]{1,${PREFIX_LENGTH_MAX}}$`),
          `The :attribute must have 1 to ${PREFIX_LENGTH_MAX} letters, numbers, dashes and underscores.`,
        )
        .optional(),
      destination_hosts: listOf(host).optional(),
      links_per_day: z
        .int('The :attribute must be a whole number.')
        .min(1, 'The :attribute must be at least 1.')
        .max(LINKS_PER_DAY_MAX, `The :attribute may not be greater than ${LINKS_PER_DAY_MAX}.`)
        .optional(),
      origins: listOf(origin).optional(),
    },
    'The :attribute must be an object.',
  )
  .nullish()
  .transform((restrictions) =>
    Object.values(restrictions ?? {}).some((limit) => limit !== undefined) ? restrictions! : undefined,
  )

/** As they were stored. */
export const storedRestrictions = (text: string | null): KeyRestrictions | undefined =>
  text === null ? undefined : (JSON.parse(text) as KeyRestrictions)
