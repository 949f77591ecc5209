import { z } from 'zod'
import { several } from '../validation/query-parameters.ts'

/** Before values of which none is wanted. */
const NOT = 'not:'
const VALUES_MAX = 20

export const isNegated = (value: string): boolean => value.startsWith(NOT)

type NegatableParameter = {
  description: string
  example: string
  /** Of one value. */
  value: z.ZodType<string>
}

export type NegatableValues = { values: readonly string[]; isNegated: boolean }

/** A parameter of which any of several values is wanted, or none of them. */
export const negatableParameter = ({ description, example, value }: NegatableParameter) =>
  several(valueOrNot(value), VALUES_MAX)
    .transform((values, context): NegatableValues | undefined => {
      if (values === undefined) return undefined
      const areNegated = isNegated(values[0]!)
      if (values.some((each) => isNegated(each) !== areNegated)) {
        context.addIssue(`The :attribute must have ${NOT} before all of its values, or before none.`)
        return z.NEVER
      }
      return { values: values.map(withoutNot), isNegated: areNegated }
    })
    .meta({
      description: `${description} May be repeated: any of them. With \`${NOT}\` before each value: none of them.`,
      example: [example],
    })

const withoutNot = (text: string): string => (isNegated(text) ? text.slice(NOT.length) : text)

/** The same value with or without the word before it. */
const valueOrNot = (value: z.ZodType<string>) =>
  z.string().superRefine((text, context) => {
    const parsed = value.safeParse(withoutNot(text))
    for (const { message } of parsed.error?.issues ?? []) context.addIssue(message)
  })
