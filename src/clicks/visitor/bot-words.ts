const anyOf = (words: string[]) => new RegExp(words.join('|'), 'i')

/** Only programs call themselves so, even if they are built with a general-purpose tool. Cubot makes phones. */
export const BOT_WORDS = anyOf([
  String.raw`(?<!\bcu)bots?(?:\b|_)|crawl|spider|slurp`,
  // Microsoft Office looks at a link before the browser opens it.
  'ms-office|msoffice|^microsoft (?:office|outlook|word|excel|powerpoint)',
])

/** Has an engine that shows pages, or says so. */
export const IS_BROWSER =
  /applewebkit|gecko|khtml|trident|presto|opera|msie|browser|midp|maui|netfront|hbbtv|palmos|watchos|windows|macintosh/i

/** What programs add to the name of a browser. */
export const WORDS_IN_BROWSERS = anyOf([
  // Who runs it: a URL, an email address (Ecosia's browser has "android@62.0"), a host name.
  String.raw`https?:|\w@[a-z][\w-]*\.[a-z]|\w\.(?:com|net|org|io|ai|dev)(?![.\w])`,
  String.raw`\bcompatible; ?(?!msie|konqueror|linux|u;|netfront|opwv|polaris|offbyone|lephone|tablet|windows|icab)[\w.!-]+`,
  String.raw`headless|phantomjs|lighthouse|synthetic|inspect|uptime|monitor|prerender|transcoder|prospecting|page ?speed|link ?preview|meta-external|externalhit`,
  String.raw`-google\b|\bgoogle-|-user/\d|cloudflare|\bdevin/|site ?check|site ?scan|\(unknown; linux(?! arm)`,
])

/**
 * What programs without an engine say of themselves, and people's apps do not: one a line, in lower case. Nobody opens a
 * link with such a program, so a word too many costs less here than in a browser.
 */
export const WORDS_OF_PROGRAMS = String.raw`
(?<!qr ?|code ?)scan(?:s|ner|ning)?\b
prob(?:e|er|ing)\b
pars(?:er|ing)
index(?:er|ing)
min(?:er|ing)\b
feed(?: ?(?:fetch|pars|burner|valid)|\b)
search(?:er)?(?:/[\d.]+)?$
watch(?!os|\d)
\b(?:rss|ai|dcv|api)\b
\b(?:cert|seo|llm|perf|dns|ping)
\b(?:web(?!view|os))
(?:server|site|pull|labs)\b
optimi[sz]
analy[sz]
^mozilla/\d\.\d \((?:compatible|[\w-]+/[\d.]+)\)?$
\$\{|\{\{|<\?|\.env\b
^(?:monit/|prometheus/|ifttt|zapier|rocket\.chat/)
user ?agent\b
^mozilla/\d\.\d [\w-]+(?:/[\d.]+)?$
^(?:chrome|firefox|safari|google|desktop|node\.js)$
grafana|munin/|nagios|icinga|datadog|prtg|\bnmap|nikto|nuclei|masscan|zgrab|qualys|censys|shodan|netcraft|matomo|phpmyadmin
abuse
accessib
adre
advert
advisor
aggregator
anthropic
archiv
audit
backlink
bench
bidd
blog
buster
bookmark
catalog
check
classif
cloud
cohere
collect
content
copier
copilot
copyv
cryptoapi
cyber
detect
digger
director
discover
domain
drupal
embed
engine
evidence
expand
exploit
exporter
extract
favicon
fetch
filter
finder
gateway
gather
grab
guard
harvest
health
heritrix
hunt
image
insight
intel
joomla
keyword
link
lookup
malware
market
measure
mirror
newsblur
newsgator
nutch
observ
openai
page
phish
plagiar
playwright
policy
prospect
proxy
puppeteer
rank
render
reputation
request
recon\b
research
retriev
robot
safe
scout
scrap
screenshot
secur
selenium
service
shorten
sitemap
sniff
status
suggest
summar
survey
sweep
tester
threat
torrent
transcoder
trawl
unfurl
url
validat
verif
vuln
webhook
webmaster
website
whois
wordpress
worker
`

/** Apps for phones, and those that play podcasts: some name the URL of their maker. */
export const APP_OF_PERSON = /\b(?:android|iphone|ipad|ios)\b|podcast|\bradio|\bfm\b|player/i
