declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  type Mailbox = { messages: { readonly uid: number }[] }
  type Parsed = { readonly tag: string }
  type Connection = { send(answer: object): void }
  type Handler = (connection: Connection, parsed: Parsed, data: string, done: () => void) => void
  type MailServer = {
    readonly server: Server
    getMailbox(name: string): Mailbox
    appendMessage(mailbox: Mailbox, flags: string[], date: Date, raw: string): void
    getCommandHandler(command: string): Handler
    setCommandHandler(command: string, handler: Handler): void
    listen(port: number, host: string, ready: () => void): void
    close(ready: () => void): void
  }
  const hoodiecrow: (options: object) => MailServer
  export default hoodiecrow
}
