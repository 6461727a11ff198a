import { type Argument, type Command, Help, type Option } from 'commander'
import { measureWidth } from '../../text/line-width.ts'
import { translateHelp } from '../sentences/zh-help.ts'
import { wrapText } from './line-wrapper.ts'

export class ChineseHelp extends Help {
  override formatHelp(command: Command, helper: Help): string {
    return super.formatHelp(command, helper).replace('： ', '：') // no space after the first title
  }

  override displayWidth(text: string): number {
    return measureWidth(text)
  }

  override boxWrap(text: string, width: number): string {
    return width < this.minWidthToWrap ? text : wrapText(text, width)
  }

  override styleTitle(title: string): string {
    return translateHelp(title)
  }

  override commandUsage(command: Command): string {
    return translateSlots(super.commandUsage(command))
  }

  override subcommandTerm(command: Command): string {
    return translateSlots(super.subcommandTerm(command))
  }

  override commandDescription(command: Command): string {
    return translateHelp(super.commandDescription(command))
  }

  override subcommandDescription(command: Command): string {
    return translateHelp(super.subcommandDescription(command))
  }

  override argumentDescription({ description }: Argument): string {
    return translateHelp(description)
  }

  override optionDescription(option: Option): string {
    const { description, argChoices: choices, defaultValue } = option
    const isShown = defaultValue !== undefined && (option.required || option.optional)
    const facts = [
      ...(choices ? [`可选值：${choices.join('、')}`] : []),
      ...(isShown ? [`默认值：${defaultValue}`] : []),
    ]
    return translateHelp(description) + (facts.length > 0 ? `（${facts.join('；')}）` : '')
  }
}

function translateSlots(usage: string): string {
  return usage.replace('[options]', '[选项]').replace('[command]', '[命令]')
}
