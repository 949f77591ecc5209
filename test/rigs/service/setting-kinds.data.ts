import { resolve } from 'node:path'
import * as kinds from '../../../src/config/setting-kinds.ts'

type Cases = {
  kind: kinds.SettingKind<unknown>
  accepted: [text: string, value: unknown][]
  refused: string[]
}

export const SETTING_CASES: Record<string, Cases> = {
  'whole number': {
    kind: kinds.wholeNumber(1, 65_535),
    accepted: [
      ['1', 1],
      ['65535', 65_535],
    ],
    refused: ['', '0', '65536', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '9'.repeat(400)],
  },
  duration: {
    kind: kinds.duration({ min: '0', max: '3d' }),
    accepted: [
      ['0', 0],
      ['0s', 0],
      ['500ms', 500],
      ['5s', 5000],
      ['30m', 1_800_000],
      ['72h', 259_200_000],
      ['3d', 259_200_000],
    ],
    refused: ['', '5', '73h', '4d', '-1s', '1.5h', '1h30m', '5 s', '5S', '5constructor', 's'],
  },
  size: {
    kind: kinds.byteSize({ min: '64KiB', max: '1GiB' }),
    accepted: [
      ['64KiB', 65_536],
      ['65536', 65_536],
      ['64MiB', 67_108_864],
      ['1GiB', 1_073_741_824],
    ],
    refused: ['', '0', '63KiB', '1025MiB', '64MB', '64 MiB', '1TiB'],
  },
  choice: { kind: kinds.choice('os', 'disk'), accepted: [['disk', 'disk']], refused: ['', 'OS', 'ram'] },
  flag: {
    kind: kinds.flag,
    accepted: [
      ['1', true],
      ['true', true],
      ['TRUE', true],
      ['0', false],
      ['false', false],
    ],
    refused: ['', 'yes', '2', 'constructor'],
  },
  baseUrl: {
    kind: kinds.baseUrl,
    accepted: [
      ['https://s.example', 'https://s.example'],
      ['https://S.Example:443/', 'https://s.example'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['https://s.example:8443', 'https://s.example:8443'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['https://S.example/links', 'https://s.example/links'],
      ['https://s.example/Go/~s.1/', 'https://s.example/Go/~s.1'],
    ],
    refused: [
      '',
      's.example',
      '//s.example',
      'https:s.example',
      'ftp://s.example',
      'https://s.example/api',
      'https://s.example/Dashboard/x',
      'https://s.example/a b',
      'https://s.example/..',
      'https://s.example//',
      'https://s.example/?',
      'https://s.example?a=1',
      'https://s.example#a',
      'https://me@s.example',
      'https://s.example\\x',
      'https://s .example',
      'https://s.example:65536',
      'https://',
    ],
  },
  'listen address': {
    kind: kinds.listenAddress,
    accepted: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['localhost', 'localhost'],
    ],
    refused: ['', 'local host', 'http://localhost', 'localhost:3000', '-x', 'x'.repeat(254)],
  },
  networks: {
    kind: kinds.networks,
    accepted: [
      ['', ''],
      ['127.0.0.1', '127.0.0.1'],
      ['10.0.0.0/8, fd00::/8,::1', '10.0.0.0/8, fd00::/8,::1'],
      ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
    ],
    refused: [
      ',',
      '127.0.0.1,',
      'proxy',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0/8',
      'loopback/8',
    ],
  },
  'existing file': {
    kind: kinds.existingFile,
    accepted: [[import.meta.path, import.meta.path]],
    refused: ['/no/such/file', import.meta.dir],
  },
  folder: { kind: kinds.folder, accepted: [['./data', resolve('data')]], refused: ['a\0b'] },
  label: {
    kind: kinds.label,
    accepted: [
      ['eu-1.node_A', 'eu-1.node_A'],
      ['x'.repeat(63), 'x'.repeat(63)],
    ],
    refused: ['', '-x', 'a b', 'a/b', 'a\nb', 'x'.repeat(64)],
  },
  token: {
    kind: kinds.token,
    accepted: [
      ['0123456789abcdef', '0123456789abcdef'],
      ['aZ-._~+/=aZ-._~+/=', 'aZ-._~+/=aZ-._~+/='],
      ['x'.repeat(256), 'x'.repeat(256)],
    ],
    refused: [
      '',
      'x'.repeat(15),
      'x'.repeat(257),
      'sixteen letters.',
      'sixteen-letters\n',
      'sechzehn-zeichén',
    ],
  },
  contact: {
    kind: kinds.contactUri,
    accepted: [
      ['mailto:security@s.example', 'mailto:security@s.example'],
      ['https://s.example/report', 'https://s.example/report'],
    ],
    refused: [
      '',
      'security@s.example',
      'mailto:security',
      'mailto:a@b\nExpires: x',
      'http://s.example',
      'https://',
    ],
  },
  'mail server': {
    kind: kinds.smtpUrl,
    accepted: [
      ['smtp://mail.s.example:587', 'smtp://mail.s.example:587'],
      ['smtps://ann:p%40ss@mail.s.example', 'smtps://ann:p%40ss@mail.s.example'],
      [
        'smtp://ann%40s.example:p%23%2F%3F%25:x@[::1]:587/?name=a.example',
        'smtp://ann%40s.example:p%23%2F%3F%25:x@[::1]:587/?name=a.example',
      ],
      ['smtp://mail.s.example?name=a@b', 'smtp://mail.s.example?name=a@b'],
    ],
    refused: [
      '',
      'mail.s.example',
      'http://mail.s.example',
      'smtp://',
      'smtp:///x',
      'smtp://ann:x@',
      ...['#', '/', '@', '?', '%', '%4', '%zz', '%ff', '@#', 'a/b?c#', ' '].map(
        (part) => `smtp://ann:pa${part}ss@mail.s.example:587`,
      ),
      'smtp://ann@s.example:pass@mail.s.example',
    ],
  },
  'sender of mails': {
    kind: kinds.mailSender,
    accepted: [
      ['links@s.example', 'links@s.example'],
      ['Our links <links@s.example>', 'Our links <links@s.example>'],
    ],
    refused: ['', 'links', 'Our links', 'a@b, c@d', 'Links <links@s.example>\nBcc: x@y', 'Links <a@b> <c@d>'],
  },
  'schemes of destinations': {
    kind: kinds.destinationSchemes,
    accepted: [
      ['http,https', ['http', 'https']],
      ['HTTPS, mailto,tel,com.example.app,tel', ['https', 'mailto', 'tel', 'com.example.app']],
    ],
    refused: [
      '',
      'http,mailto',
      'https,',
      'https,mailto:',
      'https,1a',
      'https,a b',
      ...['javascript', 'DATA', 'file', 'vbscript', 'blob', 'filesystem'].map((scheme) => `https,${scheme}`),
    ],
  },
  'address of a PostgreSQL database': {
    kind: kinds.postgresUrl,
    accepted: [
      ['postgres://tern@db.s.example/tern', 'postgres://tern@db.s.example/tern'],
      [
        'postgresql://a:p%40ss@[::1]:5433/tern?sslmode=require',
        'postgresql://a:p%40ss@[::1]:5433/tern?sslmode=require',
      ],
    ],
    refused: [
      '',
      'db.s.example/tern',
      'mysql://db.s.example/tern',
      'postgres://db.s.example',
      'postgres:///tern',
      'postgres://tern@db.s.example/',
      'postgres://tern@db.s.example/?sslmode=require',
      'postgres://tern:p@ss/w#rd@db.s.example/tern',
      ...['#', '/', '@', '?', '%', '%4', '%zz', '%ff', ' '].map(
        (part) => `postgres://tern:pa${part}ss@db.s.example:5432/tern`,
      ),
      'postgres://tern@db.s.example/tern#x',
    ],
  },
  'address of a ClickHouse database': {
    kind: kinds.clickHouseUrl,
    accepted: [
      ['http://localhost:8123/tern', 'http://localhost:8123/tern'],
      ['https://a:p%40ss@[::1]:8443/tern', 'https://a:p%40ss@[::1]:8443/tern'],
    ],
    refused: [
      '',
      'clicks.s.example/tern',
      'clickhouse://clicks.s.example:9000/tern',
      'http://clicks.s.example:8123',
      'http://clicks.s.example:8123/',
      'http:///tern',
      'http://clicks.s.example:8123/tern/clicks',
      'http://clicks.s.example:8123/tern?database=x',
      'http://tern:p@ss/w#rd@clicks.s.example:8123/tern',
    ],
  },
}
