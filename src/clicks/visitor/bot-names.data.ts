// Written by build/write-bot-names.ts from crawler-user-agents, Copyright (c) 2017 Martin Monperrus, MIT license.

/** Regular expressions, one a line, of programs that no word gives away. */
export const BOT_NAMES = String.raw`
^Feedfetcher-Google
Mediapartners-Google
APIs-Google
Google-InspectionTool
GoogleOther
Nutch
BIGLOTRON
Teoma
convera
Gigablast
ia_archiver
webmon 
grub\.org
netresearchserver
speedy
fluffy
findlink
panscient
ips-agent
yanga
CyberPatrol
postrank
Turnitin
^page2rss
linkdex
ezooms
heritrix
findthatfile
europarchive\.org
(sistrix|SISTRIX) [cC]rawler
mappydata
eright
Apercite
Aboundex
summify
ec2linkfinder
facebookexternalhit
Yeti
RetrevoPageAnalyzer
^Sogou
wotbox
ichiro
drupact
coccoc
integromedb
siteexplorer\.info
proximic
changedetection
WeSEE:Search
CC Metadata Scaper
g00g1e\.net
binlar
A6-Indexer
ADmantX
MegaIndex
ltx71
BUbiNG
Qwantify
lipperhey
Y!J
AddThis
MetaURI
Livelap[bB]ot
CapsuleChecker
collection@infegy\.com
DeuSu\/
Sonic
Sysomos
Trove
deadlinkchecker
Slack-ImgProxy
Embedly
iskanie
SkypeUriPreview
Google-Adwords-Instant
^WhatsApp
electricmonk
BingPreview\/
Yahoo Link Preview
Daum\/
Xenu Link Sleuth
[pP]ingdom
AppInsights
PhantomJS
Jetslide
newsharecounts
Bark[rR]owler
TinEye
LinkArchiver
YaK\/
Digg Deeper
Snacktory
NING\/
Nuzzel
omgili
PocketParser
um-LN
MuckRack
NetcraftSurveyAgent
AppEngine-Google
Upflow
Thinklab
Traackr\.com
Twurly
Mastodon
botify
BrandVerity
check_http
EZID
^LCC 
Buck\/
Genieo
MeltwaterNews
Moreover
ScoutJet
(^| )sentry\/
seoscanners
^Hatena
Google Web Preview
adscanner
^Netvibes
Baidu-YunGuanCe
Disqus
^Feedly
Fetch\/
^Fever
Flamingo_SearchEngine
FlipboardProxy
G2 Web Services
vkShare
Siteimprove\.com
DareBoost
^Miniflux\/
^Feedspot
SEOkicks
tracemyfile
zgrab
PR-CY\.RU
Datafeedwatch
Zabbix
google-xrawler
Pulsepoint 
CloudFlare-AlwaysOnline
Cloudflare-Healthchecks
Cloudflare-Traffic-Manager
CloudFlare-Prefetch
Cloudflare-SSLDetector
https:\/\/developers\.cloudflare\.com\/security-center\/
Google-Structured-Data-Testing-Tool
WordupInfoSearch
WebDataStats
outbrain
W3C_Validator
Validator\.nu
W3C-checklink
W3C-mobileOK
W3C_I18n-Checker
FeedValidator
W3C_CSS_Validator
W3C_Unicorn
Google-PhysicalWeb
Blackboard
^BazQux
Twingly
Rivva
Dataprovider\.com
GroupHigh\/
^theoldreader\.com
Nmap Scripting Engine
2ip\.ru
Clickagy
Google Favicon
HubSpot
Chrome-Lighthouse
HeadlessChrome
CheckMarkNetwork\/
www\.uptime\.com
MixnodeCache\/
SimpleScraper
^fedoraplanet
Friendica
^NextCloud
^Tiny Tiny RSS
Datanyze
Google-Site-Verification
TrendsmapResolver
tweetedtimes
^Gwene
^SimplePie
SearchAtlas
^Superfeedr
AmazonProductDiscovery
AmazonSellerInitiatedListing
FreeWebMonitoring SiteChecker
Domains Project\/
Pandalytics
PagePeeker\/
Vigil\/
seewithkids
^BlogTraffic\/\d\.\d+ Feed-Fetcher
Cincraw
^FreshRSS
Google-Certificates-Bridge
^Viber
evc-batch
virustotal
(^| )PTST\/
seostar\.co
Uptime-Kuma
Seekport
^Feedbin
Snap URL Preview Service
RuxitSynthetic
Google-Read-Aloud
Valve\/Steam
ChatGPT-User
woorankreview\/
Google-Safety
search\.marginalia\.nu
hyscore\.io
SEOlizer
Synapse
deepnoc
hypestat
sempi\.tech
Iframely
MetaInspector
l9explore
OpenGraphCheck
developers\.google\.com\/\+\/web\/snippet
MaCoCu
^NewsBlur
^inoreader
NetSystemsResearch
PageThing
WordPress\/
Expanse
InternetMeasurement
^BW\/
[cC]laude[bB]ot
vercel-screenshot
facebookcatalog\/
meta-externalads\/
meta-externalagent\/
meta-externalfetcher\/
AcademicBotRTU
^Lemmy
CookieHubScan
Hydrozen\.io
HTTP Banner Detection
MicrosoftPreview\/
GeedoProductSearch
CensysInspect\/
sitebulb
DatadogSynthetics
Google-Ads-Conversions
ObservePoint
Checkly
Claude-Web
anthropic-ai
Claude-User
Google-Extended
cohere-ai
CMSChecker
Wayback
Playwright
Puppeteer
Selenium
Nikto
sqlmap
ZmEu
masscan
WPScan
[aA]cunetix
Nessus
[dD]ir[Bb]uster
StatusCake
air\.ai\/scanning
asnriskscorer
l9scan
Gemini-Deep-Research
Perplexity-User
PerplexityUser
meta-webindexer
MistralAI-User
webzio
^newsai\/
A360-Search
AccessStatus
Acquia optimize
ActiveComply
AlertSite
^AllAfrica
Amazon-Bedrock-AgentCore-Browser
AmazonBuyForMe
Amzn-User
Anchor Browser
Anomura
AP3A\.240617\.008
Archive-It
^artemis web reader
Attracta
Authory
Automaton|Newsify Feed Fetcher
^BestChange
bigsur\.ai
^BlingERP
Blockaid
^Bloglines
BlogVault
bluesky-domain-status-classifier
^Bluesky\/
Bugsnag
^Buttondown
CertChief
channable
^(?:Chirp|gotosocial)
ClickUpLinkUnfurler
Cloudflare-AutoRAG
Cloudflare-Custom-Hostname-Verification
Cloudflare-Stream-Webhook
CloudflareRadarURLScanner
Cloudtrellis
[cC]ludo
Code\/1\.
^Collapsify
Convermax
cookie-maestro
CookieHubVerify
Crazy Egg
^Current[\s\S]*RSS Reader
cypex\.ai\/scanning
DigiCert DCV
^dlvr\.it
Dotcom-Monitor
DrataAutopilot
DreamHost Data Team
ds9
elmah\.io Uptime Monitoring
EzLynx
FastDAST
^Feeder \/
^FeedFlow
FindFiles\.net
Goodreads
Google Trust Services
Google-Agent
Google-Gemini-CLI
Google-NotebookLM
GoogleAgent-Mariner
Hardenize
^Innologica
kagi-fetcher
Known Agent
laion-huggingface-processor
lyonl-asset-proxy
^MagpieRSS
^mail\.ru
^MailChimp
Manus-User
MontasticMonitor
NanoInteractive
Netcraft SSL Server Survey
Netcraft Web Server Survey
Netumo|netumo
NewRelicSynthetics
NewsRoom\.BI
Nitro-
Noibu
OneTrust
opencode-smartfetch
;Owler
^PodchaserParser
^Podimo
Poggio-Citations
Qualys
RSiteAuditor
^RSS\.Social
Scope3
scraping@nytimes\.com
Scrubby
seo4ajax\.com
SequelWP
ServerDensity
^ShortPixel
Silktide
SiteLock
Software-Security-Research
^SottopopNone
Splunk
ThousandEyes
Trae\/
TwinAgent
um-FC
um-IC
UptimeStatistics
visionheight\.com\/scan
Watchful
weborama-fetcher
WepchSearchEngine
WPMU DEV Hub
WTotem
ZoomInfo-
7Siters
Bling ERP
Dark Visitor
Determ
DNSScanner
eMoney Advisor
FediDB
FediIndex
FediList Agent
Fedineko
Fluid
kaikki\.org-digital-archive
Library Of Congress Web Archiving
MatchorySearch
ModatScanner
New York Times Newsgathering
NLUX_IAHarvester
seoLyt
Termly
TLS tester
WebZIP
WikiDo
ZyBorg
TerraCotta
caveman-hunter
Corporama matcher
CyotekWebCopy
Datadog Agent
EmailWolf
^NicheIndex
HeadOnlyScraper
Impact\.com Agent
Keydrop\.io
SENTINEL-LinkCheck
linko
loopimprovements\.com
OWLer-W
Pixalate\.com
Poduptime
semantic-visions
Sindup
SiteSucker
SQWatcher
sv-watchagent
TSM-turingos
UGAResearchAgent
WebCapture
WebCopier
cognitiveseo\.com
XML Sitemaps Generator
^008\/
adbeat\.com
AdminLabs
Adventurer
alexa site audit
alienfarm
allOrigins
AppSiteAssociation
Aragog\/
Aranea
ArchiveBox
Asana\/
Autoconfig Test from USTC
Bad Neighborhood Header Detector
BinaryCanary
Bitbucket-Webhooks
BlackDuck-FD
^Blogtrottr
BotPoke
BDFetch
Brandwatch
brokenlinkcheck\.com
BW\/
Bushbaby
Butterfly
^rss-parser
CapitalOneShopping
Catchpoint
centuryb\.o\.t9
CERT PL
certytags
Charlotte
Chatwork LinkPreview
CheckHost
Goodzer
Chrome Privacy Preserving Prefetch Proxy
CirrusExplorer
CLASSLA-web
Cloudflare-Validator
cloudflare-csup
Cloudflare-Radar-Scanner
Cloudflare-SpeedTest
Cloudflare-Stream-Hook
^CommaFeed
researchscan\.comsys\.rwth-aachen\.de
contentkingapp
Cotoyogi
Criticalcss\.com
cron-job\.org
DMBrowser
downnotifier\.com
DowntimeDetector\/
Dlc\/
EasyBib AutoCite
easybill-ImportManager
EasyCron\/
easyDNS Monitoring
Cronless
crusty\/
csirt\.cz
daumoa
Dead Link Checker
Detectify
Devin
Discourse Forum Onebox
EdgeWatch
Do Not Track Verifier
eRepublik\.tools
ExodusMovement
Ezgif
FastmailUA
Feed Image Audit
^FeedBurner
^feeder\.co
^Feedwind
FirmoGraph
^FlipboardRSS
Foregenix
Freespoke\/
Funnelback
gdnplus\.com
getthit\.com
Ghost Inspector
github-camo
GlobalWebSearch
Golfe\/
Google-Apps-Script
GoogleStackdriverMonitoring
GoogleAssociationService\/
GoogleImageProxy
GoogleProducer
Google-Trust-Services\/
Google-Area120
GoogleAssociationService$
GoogleDocs
GoPay
GotSiteMonitor\.com
synthetic-monitoring-agent\/
Grammarly\/
Grover\/
GTmetrix
Verity\/
HappyWing
hCardValidator
Hello World
HetrixTools
Honeybadger Uptime Check
HostTracker\/
Hotjar
Hype Machine\/
Web Screen Service By hyperhost
IFTTT\/
ImageFetcher\/
ImageMind
img2dataset
imgproxy\/
Innguma\/
Instapaper\/
Integromat\/
internetVista monitor
Irokez\.cz monitoring
iubenda-radar\/
jetmon\/
Jumio
keycdn-tools\/
Klaviyo\/
LAC_IAHarvester
LegalMonster
Let's Encrypt
loc\.gov\/programs\/web-archiving
LinkTiger
LinkAce\/
LinkWalker\/
LogicMonitor
Magellan
magicsearchdev\/
Magnet\.me-web\/
MainWP\/
Make\/
ManageWP
MarketGoo\/
MarketingMiner
Mavifinds
MB-LinkChecker
MediavineMetadataParser\/
Meta-ExternalHit\/
Metorik
Miniature\.io\/
mirrorweb\.com
ModularConnector\/
Mollie HTTP client
monitis -
^MonitoRSS\/
MonSpark\/
montastic-monitor
MonTools\.com
MxToolbox
nbertaupete95
NetAPI
NetShelter ContentScan
NETVIGIE
nyt_scraping
NewsNow\/
NLNZ_IAHarvester
NodePing
Nooshub\/
Novaact\/
Novellum
nvdorz
Odin;
Offline Explorer
OhDear\/
Omnisend\/
Online Domain Tools
WebCEO Online\/
OpenGraph\.io\/
^OpenRSS
OpenVAS
Owler \(ows\.eu
Operator\/
Orlo-LinkPreview\/
^Cozi-iCalendar-FeedReader
OutsellURLValidator
^Overcast\/
Pagespeed\/
Panopta
parse\.ly scraper\/
PayPal\/
PDF24 URL To PDF
PingAdmin\.Ru\/
pingping\.io\/
PlayStore-Google
^PocketCasts\/
Potions\/
PrintFriendly\.com
Pro-Sitemaps\/
ProbelySPDR\/
ProjectShield-UrlCheck
Blackbox Exporter\/
^Protopage\/
PS_Daily\/
pulsetic\.com
PWABuilderHttpAgent
Rackspace Monitoring\/
Readable\/
Recurly Webhooks\/
RED\/
Reelevant\/
remove\.bg\/
Retool\/
RetroListeCOM\/
RevvimGort\/
reward-gateway
Riddler \(http:\/\/riddler\.io
RobotsChecker\/
^RSSAPI\/
^rss2tg
SFDC-Callout\/
page-preview-tool
Sansec Security Monitor\/
GIFTEDVISITOR SCAN
Schema-Markup-Validator
Scoop\.it\/
Searcherweb
Searcherxweb
SearchExpress
SecurityHeaders
SendGrid Event API
s4a\/
SeoSiteCheckup
Server Density Service Monitoring
Shopify-Captain-Hook
Shortwave Image Fetcher
linkReader\/
^Silk\/
SinceraSyntheticUser\/
Optimizer\)
Site24x7
SiteSearch360\/
SiteUptime\.com
SnapURLPreview\/
SnapchatAds\/
Snipcart\/
solarwinds\/
Sora POS\/
SparkShipping
SparkPost
Spawning-AI
IDG\/EU
^Specificfeeds
Spectate\/
splash Version\/
Rigor\)
TwinWaveScanner
SSL Labs \(https:\/\/www\.ssllabs\.com
Stape\/
StartpagePrivateImageProxy\/
StatistikAustria\/
Stripe\/
Sucuri
Svix-Webhooks\/
SwifteqLinkChecker
Swisscows
Datadog Synthetic
TactiScout\/
tchelebi\/
bitdiscovery
Test Certificate Info
TestLocally\/
TestURI
TextRazor
The Knowledge AI
TheInternetSearchx
Trellis-Services
trentwil\.es
Trustly\/
TTD-Content
Tweakers
TwilioProxy\/
UASlinkChecker\/
Unshorten\.It\!
updown\.io
Uptime\/
uptimedoctor
Uptimia
uptrends
Urlcheckr\/
useeBookChecker\/
Vagabondo\/
VaultPress
vu-server-health-scanner\/
WebsiteOps
WatchMouse
Web Measure\/
Webflow
websitepulse
WebSniffer\/
WSM\/
WEDOS OnLine
WhatsMyIP\.org
WhatWeb\/
Wheregoes\.com
wheresitup\.com\/
Citoid
ZoteroTranslationServer\/WMF
wmtips\.com\/
Wordup-1
workona-favicon-service\/
Indy Library
WJHRO\/
WP Time Capsule
WPUmbrella
WPMU DEV Broken Link Checker
WPMUDEV Uptime Monitor
WPSec\/
abuse\.xmco\.fr
XY-Archive-Compliance
Yahoo Ad monitoring
YahooMailProxy
YahooCacheSystem
YLT Chrome
YokoyGroupAG\/
Zapier
Zendesk Webhook
Penthouse Critical Path CSS Generator
Google-AdWords-Express
^Notion\/
SSL Labs$
^Tumblr\/
^upday\/
watchTowr
PRTG Network Monitor
GeedoShopProductFinder
`

/** Of programs that show a page as a card. */
export const PREVIEW_NAMES = String.raw`
LinkedInBot
facebookexternalhit
Twitterbot
Facebot
TweetmemeBot
AddThis
Embedly
SkypeUriPreview
Slackbot
redditbot
^WhatsApp
pinterest\.com\/bot
BingPreview\/
Yahoo Link Preview
Discordbot
TelegramBot
Jetslide
newsharecounts
EveryoneSocialBot
NING\/
Mastodon
^Hatena
Google Web Preview
FlipboardProxy
vkShare
Friendica
VKRobot
^Viber
Snap URL Preview Service
Valve\/Steam
OdklBot\/
Linespider
Synapse
Iframely
GroupMeBot
KeybaseBot
^Lemmy
SummalyBot
MicrosoftPreview\/
TikTokSpider
^ArenaUnfurlBot
^Bluesky\/
BufferLinkPreviewBot
ClickUpLinkUnfurler
EvernoteRichLinkBot
Goodreads
LMArenaUnfurlBot
Mediumbot-MetaTagFetcher
Quora-Bot
CodaBot
Dazzle BlueSky Bot
Supabase Paired Crawler
Xing Bot
BlueskyPreviewBot
Chatwork LinkPreview
DingTalkBot-LinkService
Discourse Forum Onebox
FastmailUA
GG PeekBot
LoomlyBot
dbot\)
Mattermost-Bot\/
Meta-ExternalHit\/
OpenGraph\.io\/
Orlo-LinkPreview\/
SnapURLPreview\/
TwilioProxy\/
^Notion\/
^Tumblr\/
ListGemBot
`
