import { MAX_EXTERNAL_ID_CHARS } from '../../ingest/store/catalog/external-id.ts'

const DOCUMENT = 'Id of the document, such as `doc_01a2…`, as lists and hits have it.'
const FILE = 'Id of the file, such as `file-01a2…`, as its upload returns it.'
const CONVERSATION = 'Id of the conversation, such as `conv_01a2…`.'

export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  'answers id':
    'Id of the answer: `CONVERSATION.TURN`, such as `conv_01a2….1`, or the id of its message, such as `msg_01a2…`.',
  'batches id': 'Id of the batch, such as `batch_01a2…`, as its creation returns it.',
  'chat id': 'Id of the chat, as the client chose it in its first message.',
  'chunks chunkId': 'Id of the chunk, such as `chunk_01a2…`, as the list of chunks has it.',
  'citations id': DOCUMENT,
  'collections id': 'Id of the collection, such as `vs_01a2…`, or its name.',
  'conversations id': CONVERSATION,
  'deletions id':
    'Id of the deletion, such as `del_01a2…`, as `GET /api/deletions` lists it, or of the deleted object, or the name of a deleted vector store.',
  'documents externalId': `Id of the document in your own system: 1 to ${MAX_EXTERNAL_ID_CHARS} characters, encoded for a URL.`,
  'documents id': DOCUMENT,
  'file_batches batchId': 'Id of the file batch, such as `vsfb_01a2…`, as its creation returns it.',
  'files fileId': FILE,
  'files id': FILE,
  'items itemId': 'Id of the item, as the list of items has it.',
  'jobs id': 'Id of the job, such as `job_01a2…`, as indexing and `GET /api/jobs` return it.',
  'keys id': 'Id of the key, as `GET /api/keys` lists it; not the key itself.',
  'links linkId': 'Id of the link, such as `link_01a2…`, as the list of links has it.',
  'models model': 'Name of the model, as `GET /v1/models` lists it.',
  'pages page': 'Number of the page in the file, from 1.',
  'responses id': 'Id of the response, such as `resp_01a2…`, as its creation returns it.',
  'sources name': 'Name of the source in the settings.',
  'threads id': `${CONVERSATION} A thread is a conversation.`,
  'turns turn': 'Number of the turn, from 1.',
  'uploads id': 'Id of the upload, such as `upload_01a2…`, as its creation returns it.',
  'vector_stores id': 'Id of the vector store, such as `vs_01a2…`, or its name.',
}
