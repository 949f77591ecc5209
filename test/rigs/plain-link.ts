/** What responses say about a link that has nothing but a destination and a title, beyond the fields of the specification. */
export const PLAIN_LINK = {
  status: 'active',
  aliases: [],
  starts_at: null,
  expires_at: null,
  max_clicks: null,
  fallback_url: null,
  forward_query: false,
  redirect_status: 302,
  rules: null,
  has_password: false,
  social_title: null,
  social_description: null,
  social_image_url: null,
  archived: false,
  notes: null,
  external_id: null,
}
