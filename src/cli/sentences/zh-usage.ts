import type { Sentences } from './en.ts'

const ARGUMENTS: Readonly<Record<string, string>> = {
  question: '问题',
  query: '查询',
  name: '名称',
}

const nameArgument = (name: string) => ARGUMENTS[name] ?? `参数 ${name}`

export const zhUsage: Sentences['usage'] = {
  unknownOption: flag => `用法有误：没有选项 ${flag}。`,
  unknownCommand: name => `用法有误：没有命令 ${name}。`,
  unknownSubcommand: (name, group, names) =>
    `用法有误：${group} 没有命令 ${name}，可用的命令有：${names.join('、')}。`,
  missingArgument: name => `用法有误：缺少参数 ${name}。`,
  missingValue: flags => `用法有误：选项 ${flags} 缺少值。`,
  missingOption: flags => `用法有误：必须指定选项 ${flags}。`,
  invalidValue: (flags, value, problem) => `用法有误：选项 ${flags} 的值“${value}”无效，${problem}`,
  tooMany: (command, expected, actual) =>
    `用法有误：参数过多，${command && `${command} `}需要 ${expected} 个，实际有 ${actual} 个。`,
  noQuestion: '用法有误：chat 不接受问题。只提一个问题请用 passim ask "…"',
  hint: text => `（${text}）`,
  similar: names => `是不是想用 ${names.join('、')}？`,
  takesOne: (command, argument, hasFiles) =>
    `${command} 只接受一个${nameArgument(argument)}${hasFiles ? '，文件请用 --file 指定' : ''}`,
  unexpected: (usage, words) => `${usage}；多余的内容：${words}`,
  quote: (usage, argument, line) =>
    `${usage}。如果这些词同属一个${nameArgument(argument)}，请加引号：${line}`,
  choices: names => `可选值为 ${names.join('、')}。`,
  positiveInteger: '须为不小于 1 的整数。',
  port: '须为 0 到 65535 的整数。',
  share: '须为 0 到 1 的数字。',
  pages: '须为页码或页码范围，例如 7 或 3-9。',
  attribute: '须为“键=值”的形式。',
  crawl: maxDepth => `须为 sitemap，或 0 到 ${maxDepth} 的链接层数。`,
}
