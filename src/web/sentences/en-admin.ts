export const count = (n: number, noun: string) =>
  `${n.toLocaleString('en')} ${n === 1 ? noun : `${noun}s`}`

export const activity = {
  title: 'Activity',
  none: 'No indexing jobs in the last seven days.',
  batch: (endpoint: string) => `Batch of ${endpoint}`,
  results: 'Results',
  failures: 'Failed requests',
  states: {
    queued: 'Waiting',
    running: 'Running',
    completed: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  remaining: (seconds: number) =>
    seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`,
  unattended: (n: number) =>
    `${count(n, 'job')} waiting, but no process is working on ${n === 1 ? 'it' : 'them'}.`,
  figures: 'Service metrics',
  plots: {
    requests: 'Requests per second',
    seconds: 'Mean response time',
    memory: 'Memory',
    running: 'Active requests',
  },
  rate: (perSecond: number) => perSecond.toFixed(1),
  milliseconds: (ms: number) => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`,
  uptime: (hours: number) =>
    hours < 1 ? `Up for ${Math.floor(hours * 60)} min` : `Up for ${hours.toFixed(1)} h`,
  health: 'Online',
  total: (n: number) => count(n, 'job'),
}

export const keys = {
  title: 'Keys',
  intro: 'Keys control who can use this service, and as which tenant.',
  none: 'There are no keys. The service is available on this machine only.',
  first:
    'Once the first key exists, nobody can use the service or this page without a key. Store it safely.',
  forbidden: 'You need an administrator key to see this.',
  create: 'New key',
  name: 'Name',
  tenant: 'Tenant',
  scope: 'Permission',
  scopes: { read: 'Read', write: 'Read and write', admin: 'Administrator' },
  created: (date: string) => `created ${date}`,
  used: (time: string) => `last used ${time}`,
  unused: 'never used',
  revoke: 'Revoke',
  revoked: 'Revoked',
  confirm: (name: string) => `Revoke the key ${name}? Anyone who uses it loses access immediately.`,
  shown: 'Copy the key now. It is not shown again.',
  copy: 'Copy',
}

export const settings = {
  title: 'Settings',
  intro: 'What this service uses, and whether it works.',
  test: 'Test everything again',
  chatModel: 'Chat model',
  modelHint:
    'With a chat model, answers are written and checked against the documents. Without one, they quote the documents.',
  modelUrl: 'Address of an OpenAI-compatible server',
  modelName: 'Model',
  modelKey: 'Key (if the server needs one)',
  keyKept: 'stored; leave empty to keep it',
  withKey: 'with a key',
  modelSave: 'Test and save',
  modelNone: 'Use no model',
  modelSaved: 'Saved. The model answered.',
  abilities: {
    callsTools: ['calls tools', 'calls no tools'],
    thinks: ['returns its reasoning', 'returns no reasoning'],
    reportsUsage: ['reports tokens', 'reports no tokens'],
  },
  modelTokens: 'Maximum tokens of a request (0: no limit)',
  inputTokens: (n: number) =>
    n === 0 ? 'no limit of tokens' : `up to ${count(n, 'token')} a request`,
  modelFixed: 'The operator has set the model, so it cannot be changed here.',
  modelShared:
    'Several nodes share one database, so the operator sets the model in the settings file or the environment of each node (model.url, model.name).',
  testing: 'Testing…',
  leaves: 'What leaves this machine',
  hosts: 'Questions, texts or addresses may go to these hosts:',
  noHosts: 'Nothing: no other host is used.',
  parts: 'Parts',
  names: {} as Readonly<Record<string, string>>,
  fine: 'works',
  broken: 'does not work',
  inEffect: 'Settings in effect',
  inEffectHint: 'The operator sets these in the settings file.',
  judged: 'Judged answers',
  judgedHint: 'Questions whose answers were rated, as an evaluation set.',
  judgedDownload: 'Download the evaluation set',
  program: (version: string, formats: number) =>
    `Passim ${version} reads ${count(formats, 'format')}.`,
}
