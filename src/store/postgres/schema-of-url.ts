const PARAMETER = /([?&])schema=([^&#]*)(&?)/

/**
 * `?schema=tern` in a URL, as Prisma has it. The driver does not know it, so `url` is without. The setting allows only names that
 * need no quotes.
 */
export function schemaOfUrl(text: string): { url: string; schema: string | undefined } {
  const [parameter, before = '', schema, after] = PARAMETER.exec(text) ?? []
  if (parameter === undefined) return { url: text, schema: undefined }
  return { url: text.replace(parameter, () => (after === '' ? '' : before)), schema }
}

/** The parameters of a connection that make every statement use the schema, and nothing of another one. */
export const inSchema = (schema: string | undefined): { search_path?: string } =>
  schema === undefined ? {} : { search_path: schema }

/** As the triggers name it (0022-channels-of-schemas.postgres.ts). */
export const channelIn = (schema: string | undefined): string =>
  ['tern_changes', ...(schema === undefined || schema === 'public' ? [] : [schema])].join('_')
