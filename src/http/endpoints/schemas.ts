import { z } from '@hono/zod-openapi'
import { FIELD_CODES, type FieldCode } from '../../errors/field-codes.ts'
import { API_REFUSAL_CODES } from '../../errors/refusal-codes.ts'
import { PER_PAGE_DEFAULT } from '../../validation/query-parameters.ts'

export function envelope<Shape extends z.ZodRawShape>(message: string, shape: Shape) {
  return z.strictObject({
    success: z.literal(true),
    message: z.string().openapi({ example: message }),
    ...shape,
  })
}

/** A time in answers. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    .openapi({
      description: 'ISO 8601, UTC, microseconds.',
      format: 'date-time',
      example: '2026-04-20T09:30:00.123456Z',
    })

export const paginationMeta = z
  .strictObject({
    current_page: z.int().min(1).openapi({ example: 1 }),
    last_page: z.int().min(1).openapi({ description: '1 when the list is empty.', example: 1 }),
    per_page: z.int().min(1).max(100).openapi({ example: PER_PAGE_DEFAULT }),
    total: z.int().min(0).openapi({ description: 'Records on all pages.', example: 1 }),
  })
  .openapi('PaginationMeta')

export const errorSchema = z
  .strictObject({
    success: z.literal(false),
    code: z.enum(API_REFUSAL_CODES).openapi({
      description: 'Why the request was refused. Programs decide by this, never by the message.',
      example: 'validation_failed',
    }),
    message: z.string().openapi({ example: 'The original url field is required. (and 1 more error)' }),
    errors: z.record(z.string(), z.array(z.string())).openapi({
      description:
        'Field name to what is wrong with it; {} when no field is invalid. In bulk: `links.<index>.<field>`.',
      example: {
        original_url: ['The original url field is required.'],
        url: ['The url field is required.'],
      },
    }),
    error_codes: z
      .record(z.string(), z.array(z.enum(Object.keys(FIELD_CODES) as FieldCode[])))
      .optional()
      .openapi({
        description:
          'For the fields of `errors` about which programs decide: a code for each sentence, in the same order. Absent if there are none.',
        example: { original_url: ['host_blocked'] },
      }),
  })
  .openapi('Error')
