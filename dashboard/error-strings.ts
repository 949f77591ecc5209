/** What users read instead of sentences of the API. */
export const errorStrings = {
  notAUrl: 'Enter a full URL, for example https://example.com/page.',
  blocked: 'This destination is blocked: the operator of this server has blocked its host.',
  role: 'Your role doesn’t allow this. Ask an admin.',
  owner: 'Only an owner can do this.',
}
