export interface paths {
    "/api/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find where a quotation or a picture of a page comes from
         * @description Ignores line breaks, hyphens, the width of characters, and Traditional or Simplified Chinese, and tolerates small mistakes such as those of OCR. Returns the same JSON as `passim find --json`.
         */
        post: operations["postApiFind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search collections
         * @description Returns the same JSON as `passim search --json`.
         */
        post: operations["postApiSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question from collections
         * @description Returns the same JSON as `passim ask --json`. With `stream: true` it sends server-sent events: `start`, `retrieval`, `token`, `token_reset` (the tokens so far were reasoning), `reasoning`, `tool_call`, `tool_result`, `approval`, `citation`, `usage`, `notice`, `agent` and `answer`. The last event is `error` if the answer failed, and `stopped` if it was stopped.
         */
        post: operations["postApiAsk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the conversations, newest first */
        get: operations["getApiConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a conversation with its turns */
        get: operations["getApiConversationsId"];
        put?: never;
        post?: never;
        /** Delete a conversation permanently */
        delete: operations["deleteApiConversationsId"];
        options?: never;
        head?: never;
        /** Rename or pin a conversation */
        patch: operations["patchApiConversationsId"];
        trace?: never;
    };
    "/api/conversations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of the current turn
         * @description Sends the events of `/api/ask`, each with its number as the id, until the turn ends.
         */
        get: operations["getApiConversationsIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the current turn */
        post: operations["postApiConversationsIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume the last answer where it was interrupted */
        post: operations["postApiConversationsIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answers/{id}/judgement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Judge a stored answer
         * @description Replaces the judgement of the answer. It is stored with the conversation.
         */
        put: operations["putApiAnswersIdJudgement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/judgements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the judged answers as questions for `passim eval`
         * @description Returns a JSON object per line, the most recently used conversation first. Save it as `judged.jsonl` and run `passim eval judged.jsonl`.
         */
        get: operations["getApiJudgements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answers/{id}/follow-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest questions that may follow a stored answer
         * @description Up to three questions, in the language of the answered one. A chat model writes them if it wrote the answer; otherwise they name headings near the citations, and can be answered without a model.
         */
        get: operations["getApiAnswersIdFollowUps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answers/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signed receipt of a stored answer
         * @description Returns the file that `passim ask --receipt` writes. `/verify.html` verifies it offline, so keep its bytes as they are. Fails with 409 if a quoted document was changed or deleted since.
         */
        get: operations["getApiAnswersIdReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/receipts/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the public key of the receipts */
        get: operations["getApiReceiptsKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a chat of the AI SDK's `useChat`
         * @description Sends the events of the AI SDK's UI message stream, version 1.
         */
        post: operations["postApiChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a chat */
        get: operations["getApiChatId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream the current answer from its beginning */
        get: operations["getApiChatIdStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the current answer */
        post: operations["postApiChatIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the threads, newest first */
        get: operations["getApiThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message to a thread, or start a new thread
         * @description Returns the message as stored. Read the answer from the events of the thread.
         */
        post: operations["postApiThreadsMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a thread */
        get: operations["getApiThreadsIdMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the missed messages and the current answer
         * @description Sends a `message` event for each message, with its `message_id` as the event id, a `delta` event for each piece of the message that is being written, and a `heartbeat` event while nothing else is sent.
         */
        get: operations["getApiThreadsIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the current answer */
        post: operations["postApiThreadsIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/threads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a thread permanently */
        delete: operations["deleteApiThreadsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the documents of a collection */
        get: operations["getApiDocuments"];
        put?: never;
        /**
         * Add a web page to a collection
         * @description The page is fetched at once and indexed in the background. A page that was added before and has not changed is not indexed again.
         */
        post: operations["postApiDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index a document again
         * @description Use it after indexing failed, or after OCR was installed. A web page is fetched again.
         */
        post: operations["postApiDocumentsIdIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a document with its extraction report */
        get: operations["getApiDocumentsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the parsed text of a document
         * @description Includes chunks that are switched off. The header `x-passim-excluded` counts their parts of the document, if there are any.
         */
        get: operations["getApiDocumentsIdText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/pages/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the text of a page with its boxes */
        get: operations["getApiDocumentsIdPagesPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/pages/{page}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture of a page
         * @description Includes chunks that are switched off. The header `x-passim-excluded` counts their parts of the document, if there are any.
         */
        get: operations["getApiDocumentsIdPagesPagePng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the blocks of a document */
        get: operations["getApiDocumentsIdBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the tables of a document */
        get: operations["getApiDocumentsIdTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the original of a document */
        get: operations["getApiDocumentsIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the chunks of a document */
        get: operations["getApiDocumentsIdChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/documents/{externalId}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the chunks of a document by an id of yours */
        get: operations["getApiCollectionsIdDocumentsExternalIdChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/documents/{id}/chunks/{chunkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a chunk off, or add a note to it
         * @description The change stays when the document is indexed again, as long as a chunk has the same text. Searches use it as soon as the document is indexed again, which starts at once and uses what is stored.
         */
        patch: operations["patchApiDocumentsIdChunksChunkId"];
        trace?: never;
    };
    "/api/collections/{id}/documents/{externalId}/chunks/{chunkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a chunk of a document by an id of yours
         * @description The change stays when the document is indexed again, as long as a chunk has the same text. Searches use it as soon as the document is indexed again, which starts at once and uses what is stored.
         */
        patch: operations["patchApiCollectionsIdDocumentsExternalIdChunksChunkId"];
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the jobs, newest first */
        get: operations["getApiJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a job and its progress */
        get: operations["getApiJobsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the progress of a job
         * @description Sends a `progress` event for every change, then an event named after the final state of the job.
         */
        get: operations["getApiJobsIdEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a job */
        post: operations["postApiJobsIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed job */
        post: operations["postApiJobsIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sources of the settings, with their last and next run */
        get: operations["getApiSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sources/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a source now
         * @description The next free process with `server.ingest` runs it, within seconds.
         */
        post: operations["postApiSourcesNameRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream what happens in the store
         * @description Sends stored events after `after`, then new ones, each named after its type. The last 100,000 events of a week are stored. The stream ends after `server.requestMs`; a client continues with `Last-Event-ID`, as `EventSource` does. A restricted key receives the events of documents that it may see.
         */
        get: operations["getApiEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the collections
         * @description Returns the collections of `passim collections --json`, one page at a time.
         */
        get: operations["getApiCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a collection by its id or name */
        get: operations["getApiCollectionsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/re-embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Re-embed a collection with another model */
        post: operations["postApiCollectionsIdReEmbed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a collection to another index engine */
        post: operations["postApiCollectionsIdMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your ids of documents, with hashes */
        get: operations["getApiCollectionsIdDocuments"];
        put?: never;
        /**
         * Add texts or records to a collection
         * @description Takes exactly one of `text`, `markdown`, `html` and `records`. The collection is created if it does not exist. JSON Lines add many documents: each line is answered with a line as soon as it is stored, and the error of one does not stop the others. Documents are indexed in the background.
         */
        post: operations["postApiCollectionsIdDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/documents/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete documents by ids or by a filter
         * @description Takes `ids` or `filter`. Deletes at most 1,000 documents per request. They can be restored for a week, unless `now` is true.
         */
        post: operations["postApiCollectionsIdDocumentsDelete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/documents/{externalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a document by an id of yours */
        get: operations["getApiCollectionsIdDocumentsExternalId"];
        /**
         * Put a document under an id of yours
         * @description Sending the same content and properties again does nothing. Changed ones replace the document; its old version is searched until the new one is indexed. Send a file as a form with the part `file`, or as the body with its own content type and the properties in the query.
         */
        put: operations["putApiCollectionsIdDocumentsExternalId"];
        post?: never;
        /** Delete a document by an id of yours */
        delete: operations["deleteApiCollectionsIdDocumentsExternalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/collections/{id}/synonyms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the synonyms of a collection */
        get: operations["getApiCollectionsIdSynonyms"];
        /**
         * Replace the synonyms of a collection
         * @description The next search uses them; nothing is indexed again.
         */
        put: operations["putApiCollectionsIdSynonyms"];
        post?: never;
        /** Remove the synonyms of a collection */
        delete: operations["deleteApiCollectionsIdSynonyms"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deletions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deletions that can be restored */
        get: operations["getApiDeletions"];
        put?: never;
        /**
         * Delete permanently, with a proof
         * @description Takes exactly one of `documents`, `collection`, `file` and `everything`. Also deletes the conversations and responses that cite the documents, rewrites the catalog and the index, and then searches every file of the store for samples of what was deleted.
         */
        post: operations["postApiDeletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deletions/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deletion
         * @description Takes the id of the deletion or of the deleted object, or the name of a vector store. Documents are `in_progress` until they can be found again.
         */
        post: operations["postApiDeletionsIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deletions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete permanently, without a way to restore */
        delete: operations["deleteApiDeletionsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/citations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the text of a span and its boxes on the page
         * @description Redirects a browser (`Accept: text/html`) to the document in the web page.
         */
        get: operations["getApiCitationsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the models and the storage of the service
         * @description Needs the scope `admin`. The settings are those in effect, without secrets.
         */
        get: operations["getApiChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys */
        get: operations["getApiKeys"];
        put?: never;
        /**
         * Create a key; its token is returned only once
         * @description Once a key exists, every request needs one. The first key must therefore have the scope `admin` and the tenant `default`, so that it can create others; otherwise the response is 409.
         */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key */
        delete: operations["deleteApiKeysId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the valid links to a conversation */
        get: operations["getApiConversationsIdLinks"];
        put?: never;
        /**
         * Create a read-only link to a conversation; its token is returned only once
         * @description Whoever has the token reads the turns so far, without a key, until the link expires or is revoked. The page shows them at `#/shared/TOKEN`. Fails with 403 if the operator has not set `server.sharedLinkDays`.
         */
        post: operations["postApiConversationsIdLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{id}/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a link to a conversation */
        delete: operations["deleteApiConversationsIdLinksLinkId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a conversation by a link
         * @description Needs no key. Returns the questions, the answers and the quoted words of the documents, and nothing else of the store. A turn is withheld if a document that it cites, or that its model was shown, was deleted or names its readers in the attribute `readers`, if it cites nothing, as a list of documents, if its model used another tool than the search, or if it remembers such a turn. With an unrestricted key of the same tenant, only turns that cite deleted documents are withheld; with a restricted one, also those about documents that the key may not read.
         */
        post: operations["postApiShared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the chat model of the service
         * @description Needs the scope `admin`.
         */
        get: operations["getApiModel"];
        /**
         * Set the chat model of the service
         * @description Needs the scope `admin`. The model is stored once it has answered two short requests, and used from then on. Fails with 409 if the operator set it in a file or the environment, or if several nodes share the catalog.
         */
        put: operations["putApiModel"];
        post?: never;
        /**
         * Use no chat model
         * @description Needs the scope `admin`. Answers quote the documents then.
         */
        delete: operations["deleteApiModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive what happens in the store
         * @description Sent to the `url` of each entry of the setting `webhooks`, in the form of Standard Webhooks 1.0. An event that is not answered with a status of 2xx is sent again, after 1 second to 1 hour. Ten refusals (4xx) end its attempts.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ModelSetting: {
            /** @description True if only the operator can change the model, in a file or the environment. */
            isFixed: boolean;
            /** @description True if nodes share a database, so that the model is set in the settings of each. */
            isShared: boolean;
            /** @description Address of the server of the model; only its origin if the operator set it. */
            url?: string;
            /** @description Name of the model. Absent if answers quote the documents. */
            name?: string;
            /** @description Maximum number of tokens of a request; 0 means no limit. Absent without a model. */
            maxInputTokens?: number;
            /** @description True if requests to the server contain a key. */
            hasKey: boolean;
            /** @description What the model can do, as tested by a change. */
            abilities?: {
                callsTools: boolean;
                thinks: boolean;
                reportsUsage: boolean;
            };
        };
        DeletionList: {
            /** @description Deletions, newest first. */
            deletions: {
                id: string;
                /** @enum {string} */
                kind: "collection" | "document" | "file";
                /** @description Id of the deleted collection, document or file. */
                subjectId: string;
                /** @description Name of the deleted collection or file, or of the collection that the document was in. */
                name: string;
                /** @description Id of the collection; absent for a file. */
                collectionId?: string;
                /** @description Source of a document: absolute path, URL, `upload:NAME` or `id:ID`. */
                source?: string;
                documents: number;
                chunks: number;
                bytes: number;
                /**
                 * Format: date-time
                 * @description Time in RFC 3339, in UTC.
                 */
                deletedAt: string;
                /**
                 * Format: date-time
                 * @description Time in RFC 3339 after which it cannot be restored.
                 */
                expiresAt: string;
            }[];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        /** @description Proof of a permanent deletion. */
        DeletionReport: {
            /** @enum {string} */
            kind: "collection" | "document" | "file" | "store";
            /** @description Ids of what was deleted; none for a whole store. */
            ids: string[];
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            at: string;
            /** @description True if nothing is left in any place, and the scan found nothing. */
            proved: boolean;
            places: {
                /** @enum {string} */
                place: "documents" | "jobs" | "files" | "originals" | "texts" | "vectors" | "pictures" | "index" | "bucket" | "caches" | "conversations" | "responses" | "runs" | "hits" | "events";
                /** @description Number of rows, files, lists of hits or objects removed. */
                removed: number;
                /** @description Number that remains, such as bytes that another document has. */
                left: number;
            }[];
            /** @description Ids of the deleted conversations that cited the documents. */
            conversations: string[];
            /** @description Search of every file of the home for samples of what was deleted. */
            scan: {
                files: number;
                bytes: number;
                /** @description Phrases looked for, in UTF-8, UTF-16 and base64. */
                texts: number;
                /** @description Pieces of vectors looked for. */
                vectors: number;
                /** @description Pieces of original bytes looked for. */
                originals: number;
                /** @description Those that other documents have, too: not counted as found. */
                shared: number;
                /** @description Files of the home that contain any, at most 100. */
                found: {
                    file: string;
                    traces: number;
                }[];
            };
            /** @description What the report cannot prove: `disk` (blocks and snapshots of the file system), `backups`, `outside` (logs, receipts and answers given out, model servers), `source` (the file still exists), `retries` (answers kept 24 hours for an Idempotency-Key), `log` (the catalog was read meanwhile), `database` (log, column statistics and replicas of PostgreSQL), `bucket` (object versions), `machines` (copies on other machines), `weaviate`. */
            unproved: ("disk" | "backups" | "outside" | "source" | "retries" | "log" | "database" | "bucket" | "machines" | "weaviate")[];
        };
        Restored: {
            /** @description Id of the restored collection, document or file. */
            restored: string;
            /** @enum {string} */
            kind: "collection" | "document" | "file";
            /** @description Name of the collection. */
            collection: string;
            /** @description Source of a document: absolute path, URL, `upload:NAME` or `id:ID`. */
            source?: string;
            documents: number;
        };
        ForgottenDeletion: {
            id: string;
            /** @constant */
            deleted: true;
        };
        Found: {
            /** @description Places, most similar first. Empty if no document contains the text. */
            places: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Base name of the source. */
                doc: string;
                title: string;
                /** @description Share of the letters and digits of the quotation that the place contains (0 to 1); of a picture with many lines, of a sample of them. */
                similarity: number;
                /** @description Boxes of the lines at this place, in formats that have pages. */
                boxes: {
                    page: number;
                    charStart: number;
                    charEnd: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
            }[];
            seconds: number;
        };
        Search: {
            query: string;
            mode: string;
            /** @description Hits, best first. */
            hits: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Score of the hit; comparable only within one response. */
                score: number;
                /** @description Likelihood that the hit answers the query (0 to 1), independent of the other hits. */
                confidence?: number;
                /** @description True if the hit is likely about something else. Its confidence is at most 0.03. */
                weak: boolean;
                /**
                 * @description True if the passage only lists content, such as a table of contents.
                 * @constant
                 */
                isListing?: true;
                chunkId: string;
                /** @description Title of the document. */
                title: string;
                /** @description Names of the columns, if the text begins below them inside a table. */
                tableHeader?: string;
                /** @description Note that a user added to the passage. It is searched, and is no text of the document. */
                note?: string;
                /** @description Attributes of the document. Absent if it has none. */
                attributes?: {
                    [key: string]: string | number | boolean;
                };
                /** @description Other places with the same text. */
                copies?: {
                    chunkId: string;
                    documentId: string;
                    source: string;
                    /** @description Base name of the source. */
                    name: string;
                    /** @description First and last page, in formats that have pages. */
                    pages?: [
                        number,
                        number
                    ];
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                }[];
                /** @description Words of the query that no document contains, and the terms that were searched instead. */
                corrected?: {
                    from: string;
                    to: string[];
                }[];
                /** @description Terms of the query, and the synonyms of the collection that were searched, too. */
                synonyms?: {
                    from: string;
                    to: string[];
                }[];
                /** @description Reason why the requested reranker had no effect. */
                notReranked?: string;
                /** @description How the hit was ranked; only with `explain`. */
                explain?: {
                    /** @description Terms of the query that the passage contains. */
                    terms: {
                        term: string;
                        /** @description Part of the BM25 score that the term adds. */
                        weight: number;
                    }[];
                    /** @description Rank and score of the passage in keyword search. */
                    keyword?: {
                        /** @description Rank from 1; absent if it is below the rows that were read. */
                        rank?: number;
                        score: number;
                    };
                    /** @description Rank and score of the passage in vector search. */
                    vector?: {
                        /** @description Rank from 1; absent if it is below the rows that were read. */
                        rank?: number;
                        score: number;
                    };
                    /** @description Part of the score that each of the two searches adds. */
                    fusion?: {
                        keyword: number;
                        vector: number;
                    };
                    /** @description Attributes of the document that the filter compared. */
                    filter?: {
                        [key: string]: string | number | boolean;
                    };
                    reranked?: {
                        /** @description Rank before the reranker, from 1. */
                        rank: number;
                        /** @description Score that the reranker gave. */
                        score: number;
                        parts?: {
                            search: number;
                            reranker: number;
                        };
                    };
                };
            }[];
            warnings?: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description Hits as text for a model; only with `contextTokens`. */
            context?: {
                /** @description Passages, each after the number by which a model can cite it. */
                text: string;
                tokens: number;
                passages: {
                    /** @description Number of the passage in `text`. */
                    id: number;
                    documentId: string;
                    source: string;
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                }[];
                /** @description Hits that were left out because of the token limit or because their text is repeated. */
                omitted: {
                    documentId: string;
                    source: string;
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                    /** @enum {string} */
                    reason: "budget" | "repeated";
                }[];
            };
            /** @description Reason why the document named by `why` is, or is not, among the hits. */
            why?: {
                /** @enum {string} */
                outcome: "found" | "copy" | "not-indexed" | "filtered" | "wording" | "no-match" | "below";
                /** @description Outcome as a sentence. */
                message: string;
                /** @description Best rank and score of the document in keyword search. */
                keyword?: {
                    /** @description Rank from 1; absent if it is below the rows that were read. */
                    rank?: number;
                    score: number;
                };
                /** @description Best rank and score of the document in vector search. */
                vector?: {
                    /** @description Rank from 1; absent if it is below the rows that were read. */
                    rank?: number;
                    score: number;
                };
                /** @description Terms of the query that the document does not contain. */
                missingTerms: string[];
            };
            /** @description Duration of the search in seconds. */
            seconds: number;
        };
        Answer: {
            question: string;
            answer: string;
            /** @description True if the documents contain no answer. */
            abstained: boolean;
            /**
             * @description `extractive`: quoted from the documents. `model`: written by a chat model.
             * @enum {string}
             */
            mode: "extractive" | "model";
            /** @description Likelihood that the quotations of an extractive answer answer the question (0 to 1). */
            confidence?: number;
            citations: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Number in the text: `3` for `[3]`. */
                marker: number;
                /** @description Id of the file of the document, as in `/v1/files`, if it has one. */
                fileId?: string;
                /** @description Base name of the source. */
                doc: string;
                /** @description Label of `page` that the document states, such as `iv`, if it is another. */
                pageLabel?: string;
                /** @description Boxes of the lines that contain the quoted words, in formats that have pages. */
                boxes?: {
                    page: number;
                    charStart: number;
                    charEnd: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
                /**
                 * @description The quotation was read back from the stored document and is identical.
                 * @constant
                 */
                quoteVerified: true;
                /**
                 * @description Older name of `quoteVerified`, always equal to it.
                 * @constant
                 */
                verified: true;
                /**
                 * @description Whether the quoted place states the claim that carries the marker.
                 * @enum {string}
                 */
                support: "stated" | "not-stated" | "unknown";
            }[];
            /** @description Citations of results of tools. */
            toolCitations?: {
                /** @description Number in the text: `3` for `[3]`. Citations of documents and of tools share the numbers. */
                marker: number;
                tool: string;
                /** @description Id of the tool call; empty if the caller that ran the tool sent none. */
                callId: string;
                /** @description Arguments of the tool call, as the model wrote them. */
                arguments: string;
                /** @description Offset of the first quoted character in the tool's result, in UTF-16 units. */
                charStart: number;
                charEnd: number;
                /** @description Quoted words of the tool's result. */
                text: string;
                /**
                 * @description Whether the quoted words state the claim that carries the marker.
                 * @enum {string}
                 */
                support: "stated" | "not-stated" | "unknown";
            }[];
            /** @description Claims that no source supports: claims that a source contradicts, quotations that are in no source, and claims without any evidence. */
            unsupported?: string[];
            /** @description Claims that the sources neither state nor contradict. Claims without any evidence are also in `unsupported`. */
            unconfirmed?: string[];
            /** @description Reasons why the answer may be incomplete, such as documents that are still being indexed. */
            warnings?: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description Words of the query that no document contains, and the terms that were searched instead. */
            corrected?: {
                from: string;
                to: string[];
            }[];
            /** @description Terms of the query, and the synonyms of the collection that were searched, too. */
            synonyms?: {
                from: string;
                to: string[];
            }[];
            /** @description Number of tokens of all model calls; absent if no model was called. */
            usage?: {
                promptTokens: number;
                completionTokens: number;
                totalTokens: number;
                /** @description Price of the tokens, as the model server reports it. */
                cost?: number;
            };
            /**
             * @description Reason why the answer ended early.
             * @enum {string}
             */
            incomplete?: "length" | "content-filter" | "max-model-calls" | "max-tool-calls";
            /** @description Tool calls that the caller has to run or approve. */
            calls?: {
                id: string;
                name: string;
                /** @description Arguments as JSON, exactly as the model wrote them. */
                arguments: string;
                /** @description Error in the call, if any. Such a call is not run. */
                problem?: string;
            }[];
            /** @description The answer as data, if the request had a schema. */
            object?: unknown;
            /** @description Seconds from the question to the complete answer. */
            seconds: number;
            /** @description Id of the conversation that the answer is in. */
            conversation?: string;
            /** @description Number of the turn in the conversation, from 1. */
            turn?: number;
        };
        AskEvent: {
            question: string;
            /** @description Id of the conversation that the answer is in. */
            conversation?: string;
            /** @description Number of the turn in the conversation, from 1. */
            turn?: number;
        } | {
            questions: string[];
        } | {
            query: string;
            hits: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Score of the hit; comparable only within one response. */
                score: number;
                /** @description Likelihood that the hit answers the query (0 to 1), independent of the other hits. */
                confidence?: number;
                /** @description True if the hit is likely about something else. Its confidence is at most 0.03. */
                weak: boolean;
                /**
                 * @description True if the passage only lists content, such as a table of contents.
                 * @constant
                 */
                isListing?: true;
                chunkId: string;
                /** @description Title of the document. */
                title: string;
                /** @description Names of the columns, if the text begins below them inside a table. */
                tableHeader?: string;
                /** @description Note that a user added to the passage. It is searched, and is no text of the document. */
                note?: string;
                /** @description Attributes of the document. Absent if it has none. */
                attributes?: {
                    [key: string]: string | number | boolean;
                };
                /** @description Other places with the same text. */
                copies?: {
                    chunkId: string;
                    documentId: string;
                    source: string;
                    /** @description Base name of the source. */
                    name: string;
                    /** @description First and last page, in formats that have pages. */
                    pages?: [
                        number,
                        number
                    ];
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                }[];
                /** @description Words of the query that no document contains, and the terms that were searched instead. */
                corrected?: {
                    from: string;
                    to: string[];
                }[];
                /** @description Terms of the query, and the synonyms of the collection that were searched, too. */
                synonyms?: {
                    from: string;
                    to: string[];
                }[];
                /** @description Reason why the requested reranker had no effect. */
                notReranked?: string;
                /** @description How the hit was ranked; only with `explain`. */
                explain?: {
                    /** @description Terms of the query that the passage contains. */
                    terms: {
                        term: string;
                        /** @description Part of the BM25 score that the term adds. */
                        weight: number;
                    }[];
                    /** @description Rank and score of the passage in keyword search. */
                    keyword?: {
                        /** @description Rank from 1; absent if it is below the rows that were read. */
                        rank?: number;
                        score: number;
                    };
                    /** @description Rank and score of the passage in vector search. */
                    vector?: {
                        /** @description Rank from 1; absent if it is below the rows that were read. */
                        rank?: number;
                        score: number;
                    };
                    /** @description Part of the score that each of the two searches adds. */
                    fusion?: {
                        keyword: number;
                        vector: number;
                    };
                    /** @description Attributes of the document that the filter compared. */
                    filter?: {
                        [key: string]: string | number | boolean;
                    };
                    reranked?: {
                        /** @description Rank before the reranker, from 1. */
                        rank: number;
                        /** @description Score that the reranker gave. */
                        score: number;
                        parts?: {
                            search: number;
                            reranker: number;
                        };
                    };
                };
            }[];
        } | {
            text: string;
        } | {
            reasoning: string;
        } | {
            text: string;
        } | {
            id: string;
            name: string;
            /** @description Arguments as JSON, exactly as the model wrote them. */
            arguments: string;
            /** @description Error in the call, if any. Such a call is not run. */
            problem?: string;
        } | {
            id: string;
            name: string;
            text: string;
        } | {
            call: {
                id: string;
                name: string;
                /** @description Arguments as JSON, exactly as the model wrote them. */
                arguments: string;
                /** @description Error in the call, if any. Such a call is not run. */
                problem?: string;
            };
        } | {
            documentId: string;
            /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
            source: string;
            /** @description Headings above the text, outermost first. */
            headings: string[];
            /** @description Page of the first word, from 1, in formats that have pages. */
            page?: number;
            /** @description First and last page, in formats that have pages. */
            pages?: [
                number,
                number
            ];
            /** @description Offset of the first character in the parsed text, in UTF-16 units. */
            charStart: number;
            /** @description Offset after the last character in the parsed text, in UTF-16 units. */
            charEnd: number;
            /** @description Text of the document at this place. */
            text: string;
            /** @description Number in the text: `3` for `[3]`. */
            marker: number;
            /** @description Id of the file of the document, as in `/v1/files`, if it has one. */
            fileId?: string;
            /** @description Base name of the source. */
            doc: string;
            /** @description Label of `page` that the document states, such as `iv`, if it is another. */
            pageLabel?: string;
            /** @description Boxes of the lines that contain the quoted words, in formats that have pages. */
            boxes?: {
                page: number;
                charStart: number;
                charEnd: number;
                /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                box: [
                    number,
                    number,
                    number,
                    number
                ];
            }[];
            /**
             * @description The quotation was read back from the stored document and is identical.
             * @constant
             */
            quoteVerified: true;
            /**
             * @description Older name of `quoteVerified`, always equal to it.
             * @constant
             */
            verified: true;
            /**
             * @description Whether the quoted place states the claim that carries the marker.
             * @enum {string}
             */
            support: "stated" | "not-stated" | "unknown";
        } | {
            promptTokens: number;
            completionTokens: number;
            totalTokens: number;
            /** @description Price of the tokens, as the model server reports it. */
            cost?: number;
        } | {
            name: string;
            text: string;
        } | {
            name: string;
            event: {
                type: string;
            } & {
                [key: string]: unknown;
            };
        } | components["schemas"]["Answer"] | {
            reason?: string;
            message?: string;
        } | components["schemas"]["Error"];
        ConversationHead: {
            id: string;
            title: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            updatedAt: string;
            turns: number;
            /** @description True if it is kept on top of lists. */
            pinned: boolean;
        };
        ConversationPage: {
            /** @description Conversations, newest first. */
            conversations: components["schemas"]["ConversationHead"][];
            /** @description Days that a link to a conversation is valid; 0 if the operator allows none. */
            sharedLinkDays: number;
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        Conversation: {
            id: string;
            title: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            updatedAt: string;
            turnCount: number;
            /** @description Turns, oldest first. Use `before` for earlier ones. */
            turns: components["schemas"]["Turn"][];
            /** @description True if there are earlier turns. */
            hasMore: boolean;
        };
        SharedLink: {
            /** @description Id of the link, for revoking it; not its token. */
            id: string;
            /** @description Number of turns that the link shows; later ones are not shared. */
            turns: number;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            expiresAt: string;
        };
        SharedLinkList: {
            /** @description Valid links, newest first. */
            links: components["schemas"]["SharedLink"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        NewSharedLink: {
            /** @description Id of the link, for revoking it; not its token. */
            id: string;
            /** @description Number of turns that the link shows; later ones are not shared. */
            turns: number;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description Secret of the link. It is not stored, so it cannot be shown again. */
            token: string;
        };
        DeletedSharedLink: {
            id: string;
            /** @constant */
            deleted: true;
        };
        SharedConversation: {
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            expiresAt: string;
            /** @description Completed turns, oldest first. */
            turns: {
                /** @description Number of the turn, from 1. */
                turn: number;
                /** @description Absent, as the answer is, if the turn is withheld. */
                question?: string;
                answer?: string;
                citations?: {
                    /** @description Number in the text: `3` for `[3]`. */
                    marker: number;
                    /** @description Base name of the source. */
                    doc: string;
                    /** @description Page of the first word, from 1, in formats that have pages. */
                    page?: number;
                    /** @description Label of `page` that the document states, such as `iv`, if it is another. */
                    pageLabel?: string;
                    /** @description Headings above the text, outermost first. */
                    headings: string[];
                    /** @description Text of the document at this place. */
                    text: string;
                    /**
                     * @description Whether the quoted place states the claim that carries the marker.
                     * @enum {string}
                     */
                    support: "stated" | "not-stated" | "unknown";
                }[];
                unsupported?: string[];
                unconfirmed?: string[];
            }[];
            /** @description True if there are earlier turns; `before` requests them. */
            hasMore: boolean;
        };
        Turn: {
            /** @description Number of the turn, from 1. */
            turn: number;
            question: string;
            answer?: string;
            citations?: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Number in the text: `3` for `[3]`. */
                marker: number;
                /** @description Id of the file of the document, as in `/v1/files`, if it has one. */
                fileId?: string;
                /** @description Base name of the source. */
                doc: string;
                /** @description Label of `page` that the document states, such as `iv`, if it is another. */
                pageLabel?: string;
                /** @description Boxes of the lines that contain the quoted words, in formats that have pages. */
                boxes?: {
                    page: number;
                    charStart: number;
                    charEnd: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
                /**
                 * @description The quotation was read back from the stored document and is identical.
                 * @constant
                 */
                quoteVerified: true;
                /**
                 * @description Older name of `quoteVerified`, always equal to it.
                 * @constant
                 */
                verified: true;
                /**
                 * @description Whether the quoted place states the claim that carries the marker.
                 * @enum {string}
                 */
                support: "stated" | "not-stated" | "unknown";
            }[];
            toolCitations?: {
                /** @description Number in the text: `3` for `[3]`. Citations of documents and of tools share the numbers. */
                marker: number;
                tool: string;
                /** @description Id of the tool call; empty if the caller that ran the tool sent none. */
                callId: string;
                /** @description Arguments of the tool call, as the model wrote them. */
                arguments: string;
                /** @description Offset of the first quoted character in the tool's result, in UTF-16 units. */
                charStart: number;
                charEnd: number;
                /** @description Quoted words of the tool's result. */
                text: string;
                /**
                 * @description Whether the quoted words state the claim that carries the marker.
                 * @enum {string}
                 */
                support: "stated" | "not-stated" | "unknown";
            }[];
            unsupported?: string[];
            unconfirmed?: string[];
            /** @description True if the documents contain no answer. */
            abstained?: boolean;
            /** @enum {string} */
            mode?: "extractive" | "model";
            /**
             * @description Reason why the answer ended early.
             * @enum {string}
             */
            incomplete?: "length" | "content-filter" | "max-model-calls" | "max-tool-calls";
            judgement?: {
                /** @enum {string} */
                rating: "good" | "bad";
                /** @description Reason for the rating, as its reader wrote it. */
                reason?: string;
            };
            /** @enum {string} */
            status: "completed" | "in_progress" | "stopped" | "failed";
            /** @description True if a later turn replaces this one. */
            superseded?: boolean;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
        };
        FollowUps: {
            /** @description Suggested questions, at most three. */
            questions: string[];
        };
        DeletedConversation: {
            id: string;
            /** @constant */
            deleted: true;
        };
        ThreadMessage: {
            thread_id: string;
            message_id: string;
            local_thread_id: string;
            local_message_id: string;
            /** @enum {string} */
            role: "system" | "user" | "assistant" | "function" | "status";
            /** @description Content with `type` and `text`. A status has `code`, `message` and `extra`. */
            content: {
                [key: string]: unknown;
            };
            input_skill_id?: number;
            attachments: ({
                file_id: string;
            } & {
                [key: string]: unknown;
            })[];
            extra: {
                [key: string]: unknown;
            };
            /** @description Time in Unix seconds. */
            created_at: number;
        } & {
            [key: string]: unknown;
        };
        ThreadMessages: {
            data: components["schemas"]["ThreadMessage"][];
            has_more: boolean;
        };
        ThreadEvent: {
            thread_id: string;
        } & {
            [key: string]: unknown;
        };
        ThreadPage: {
            data: {
                thread_id: string;
                title: string;
                /** @description Time in Unix seconds. */
                created_at: number;
                /** @description Time in Unix seconds. */
                updated_at: number;
            }[];
            has_more: boolean;
            last_id: string | null;
        };
        StoppedThread: {
            thread_id: string;
            stopped: boolean;
        };
        DeletedThread: {
            thread_id: string;
            /** @constant */
            deleted: true;
        };
        Chat: {
            id: string;
            messages: ({
                id: string;
                role: string;
                parts: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[];
            } & {
                [key: string]: unknown;
            })[];
        };
        StoppedChat: {
            stopped: boolean;
        };
        Receipt: {
            receipt: {
                /** @constant */
                format: "passim-receipt@1";
                /** @description Public Ed25519 key of the store, 64 hex digits. */
                key: string;
                /** @description Name and version of the program that signed. */
                program: string;
                /**
                 * Format: date-time
                 * @description Time of the signature in RFC 3339.
                 */
                signedAt: string;
                /**
                 * Format: date-time
                 * @description Time of the answer in RFC 3339.
                 */
                answeredAt: string;
                question: string;
                answer: string;
                /**
                 * @description `extractive`: quoted from the documents. `model`: written by a chat model.
                 * @enum {string}
                 */
                mode: "extractive" | "model";
                /**
                 * @description `refused` if the documents contain no answer; the quotations are the nearest ones.
                 * @enum {string}
                 */
                outcome: "answered" | "refused";
                /** @description Sentences of the answer. Empty if it is refused. */
                sentences: {
                    text: string;
                    markers: number[];
                    /**
                     * @description `stated`: a source states it. `not-confirmed`: no source states or contradicts it. `unsupported`: a source contradicts it, or none supports it. `uncited`: no claim.
                     * @enum {string}
                     */
                    status: "stated" | "not-confirmed" | "unsupported" | "uncited";
                }[];
                quotations: {
                    /** @description Number in the text: `3` for `[3]`. */
                    marker: number;
                    documentId: string;
                    /** @description Page of the first word, from 1, in formats that have pages. */
                    page?: number;
                    /** @description Boxes of the lines that contain the quoted words, in formats that have pages. */
                    boxes?: {
                        page: number;
                        charStart: number;
                        charEnd: number;
                        /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                        box: [
                            number,
                            number,
                            number,
                            number
                        ];
                    }[];
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                    /** @description Text of the document at this place. */
                    text: string;
                    /**
                     * @description Whether the quoted place states the claim that carries the marker.
                     * @enum {string}
                     */
                    support: "stated" | "not-stated" | "unknown";
                }[];
                documents: {
                    id: string;
                    name: string;
                    source: string;
                    mediaType: string;
                    bytes: number;
                    /** @description SHA-256 of the original file. */
                    sha256: string;
                    /** @description Name and version of the parser. */
                    parser: string;
                    /** @description Length of the parsed text in UTF-16 units. */
                    characters: number;
                    /** @description SHA-256 of the parsed text in UTF-16LE. */
                    textSha256: string;
                }[];
                /** @description Pages of the quotations that can be drawn, at most eight. */
                pictures: {
                    documentId: string;
                    page: number;
                    /** @description Width of the page in the unit of the boxes. */
                    width: number;
                    height: number;
                    boxes: [
                        number,
                        number,
                        number,
                        number
                    ][];
                    /** @description Picture of the page, base64. */
                    png: string;
                }[];
                undrawn: {
                    documentId: string;
                    page: number;
                    reason: string;
                }[];
            };
            /** @description Ed25519 signature of the bytes of `receipt` as they are in the file, 128 hex digits. */
            signature: string;
        };
        ReceiptKey: {
            /** @description Public Ed25519 key of the store, 64 hex digits. */
            key: string;
        };
        StoppedConversation: {
            conversation: string;
            turn: number;
            stopped: boolean;
        };
        Collection: {
            /** @description Id, which is also the id of the vector store. */
            id: string;
            name: string;
            /** @description Id of the embedding model, or `none` for keyword search only. */
            embedderId: string;
            /** @description Length of the vectors; 0 without vectors. */
            dimensions: number;
            /**
             * @description Index engine of the collection.
             * @enum {string}
             */
            engine: "lance" | "weaviate";
            chunking: {
                /** @description Maximum number of tokens of a passage. */
                tokens: number;
                /** @description Share of a passage that the next one repeats, 0 to 0.5. */
                overlap: number;
            };
            /** @description Key-value pairs that the caller stored with the object. */
            metadata: {
                [key: string]: string;
            };
            /** @description Number of documents by status. */
            documents: {
                in_progress: number;
                completed: number;
                failed: number;
                cancelled: number;
            };
            /** @description Number of indexed passages. */
            chunks: number;
            /** @description Total size of the files in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            usedAt: string;
            /** @description Days after the last use until the collection expires. Absent: never. */
            idleDays?: number;
        };
        CollectionPage: {
            /** @description Collections by name. */
            collections: components["schemas"]["Collection"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        Document: {
            id: string;
            collectionId: string;
            fileId: string;
            /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
            source: string;
            /** @description Id that the caller gave the document, unique in its collection. */
            externalId?: string;
            /** @description SHA-256 of the document's bytes, in hex. */
            hash: string;
            /** @description Id of the document that this one is attached to. */
            parentId?: string;
            /** @description Base name of the source. */
            name: string;
            title: string;
            /** @description Address where people read it, as the caller stated it. */
            url?: string;
            /** @enum {string} */
            status: "in_progress" | "completed" | "failed" | "cancelled";
            /**
             * @description `words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it.
             * @enum {string}
             */
            searchable?: "words" | "all";
            mediaType: string;
            bytes: number;
            /** @description Number of pages, in formats that have pages. */
            pages?: number;
            chunks: number;
            tokens: number;
            /** @description Attributes that the user set, to filter by. */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description Metadata that the document itself states. */
            metadata: {
                title?: string;
                author?: string;
                subject?: string;
                keywords?: string;
                /** @description Date or time in ISO 8601. */
                created?: string;
                /** @description Date or time in ISO 8601. */
                modified?: string;
                /** @description Language as a BCP 47 tag, such as `en`. */
                language?: string;
                charset?: string;
                pages?: number;
            };
            warnings: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description Reason why indexing failed. */
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            indexedAt?: string;
            /** @description Name of the collection of the document. */
            collection: string;
            /** @description Length of the parsed text in UTF-16 units. */
            characters?: number;
            /** @description Extraction report of each page. */
            report?: {
                /** @description Number of the page, from 1. */
                page: number;
                characters: number;
                images: number;
                /** @description Share of characters that are unreadable (0 to 1). */
                garbled: number;
                /** @description Page label that the document states, such as `iv`. */
                label?: string;
                /** @description Present if the page was read by OCR. */
                ocr?: {
                    /** @enum {string} */
                    engine: "tesseract" | "pp-ocr";
                    /** @description Mean confidence of OCR on the page (0 to 1). */
                    confidence: number;
                };
            }[];
            /** @description Chunks that users switched off or added notes to. Absent if there are none. */
            chunkEdits?: {
                /** @description Number of chunks that are switched off. */
                excluded: number;
                /** @description Number of chunks with a note. */
                notes: number;
                /** @description Number of changed chunks whose text is no chunk any more. They have no effect. */
                unmatched: number;
            };
        };
        DocumentEntry: {
            id: string;
            collectionId: string;
            fileId: string;
            /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
            source: string;
            /** @description Id that the caller gave the document, unique in its collection. */
            externalId?: string;
            /** @description SHA-256 of the document's bytes, in hex. */
            hash: string;
            /** @description Id of the document that this one is attached to. */
            parentId?: string;
            /** @description Base name of the source. */
            name: string;
            title: string;
            /** @description Address where people read it, as the caller stated it. */
            url?: string;
            /** @enum {string} */
            status: "in_progress" | "completed" | "failed" | "cancelled";
            /**
             * @description `words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it.
             * @enum {string}
             */
            searchable?: "words" | "all";
            mediaType: string;
            bytes: number;
            /** @description Number of pages, in formats that have pages. */
            pages?: number;
            chunks: number;
            tokens: number;
            /** @description Attributes that the user set, to filter by. */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description Metadata that the document itself states. */
            metadata: {
                title?: string;
                author?: string;
                subject?: string;
                keywords?: string;
                /** @description Date or time in ISO 8601. */
                created?: string;
                /** @description Date or time in ISO 8601. */
                modified?: string;
                /** @description Language as a BCP 47 tag, such as `en`. */
                language?: string;
                charset?: string;
                pages?: number;
            };
            warnings: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description Reason why indexing failed. */
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            indexedAt?: string;
        };
        DocumentPage: {
            collection: string;
            /** @description Documents, ordered by source. */
            documents: components["schemas"]["DocumentEntry"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        PutDocument: {
            id: string;
            collectionId: string;
            fileId: string;
            /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
            source: string;
            /** @description Id that the caller gave the document, unique in its collection. */
            externalId?: string;
            /** @description SHA-256 of the document's bytes, in hex. */
            hash: string;
            /** @description Id of the document that this one is attached to. */
            parentId?: string;
            /** @description Base name of the source. */
            name: string;
            title: string;
            /** @description Address where people read it, as the caller stated it. */
            url?: string;
            /** @enum {string} */
            status: "in_progress" | "completed" | "failed" | "cancelled";
            /**
             * @description `words`: keyword search finds the document. `all`: vector search finds it too. Absent while no search finds it.
             * @enum {string}
             */
            searchable?: "words" | "all";
            mediaType: string;
            bytes: number;
            /** @description Number of pages, in formats that have pages. */
            pages?: number;
            chunks: number;
            tokens: number;
            /** @description Attributes that the user set, to filter by. */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @description Metadata that the document itself states. */
            metadata: {
                title?: string;
                author?: string;
                subject?: string;
                keywords?: string;
                /** @description Date or time in ISO 8601. */
                created?: string;
                /** @description Date or time in ISO 8601. */
                modified?: string;
                /** @description Language as a BCP 47 tag, such as `en`. */
                language?: string;
                charset?: string;
                pages?: number;
            };
            warnings: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description Reason why indexing failed. */
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            indexedAt?: string;
            /** @description Name of the collection of the document. */
            collection: string;
            /**
             * @description `replaced`: the new content is being indexed. `updated`: only attributes changed. `unchanged`: nothing changed.
             * @enum {string}
             */
            result: "created" | "replaced" | "updated" | "unchanged";
        };
        PutDocumentLine: {
            /** @description Number of the line, from 1. */
            line: number;
            /** @description Your id of the document, or the new one. */
            id?: string;
            /** @description Id for the routes below `/api/documents`. */
            documentId?: string;
            /** @description SHA-256 of the document's bytes, in hex. */
            hash?: string;
            /**
             * @description `replaced`: the new content is being indexed. `updated`: only attributes changed. `unchanged`: nothing changed.
             * @enum {string}
             */
            result?: "created" | "replaced" | "updated" | "unchanged";
            /** @description Reason why this line was refused. */
            error?: {
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Kind of the error. `requests`: OpenAI's type for too many requests, sent under `/v1` only.
                 * @enum {string}
                 */
                type: "invalid_request_error" | "requests" | "server_error";
                /** @description Path of the request parameter that is wrong, such as `tools.0.type`. */
                param: string | null;
                /** @description Stable code of the kind of error. Under `/v1` it is OpenAI's, where OpenAI has one. */
                code: string;
            };
        };
        ExternalDocumentPage: {
            /** @description Name of the collection. */
            collection: string;
            /** @description Documents that have an id of yours, ordered by it. */
            documents: {
                /** @description Your id of the document. */
                id: string;
                /** @description Id for the routes below `/api/documents`. */
                documentId: string;
                /** @description SHA-256 of the document's bytes, in hex. */
                hash: string;
                /** @enum {string} */
                status: "in_progress" | "completed" | "failed" | "cancelled";
            }[];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        DeletedDocuments: {
            /** @description Number of selected documents. Without `dryRun` it stops at 1,001. */
            matched: number;
            /** @description Number of deleted documents. */
            deleted: number;
            /** @description Ids of the request without a document. */
            missing: string[];
            /** @description Attributes of the filter that no document has. */
            warnings: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
            /** @description True if more documents match: send the request again. */
            hasMore: boolean;
        };
        Key: {
            id: string;
            name: string;
            /** @description Tenant whose store the key opens. */
            tenant: string;
            /** @enum {string} */
            scope: "read" | "write" | "admin";
            /** @description Names or ids of the only collections that the key sees. Absent: all. */
            collections?: string[];
            /** @description Condition of the only documents that the key sees. Absent: all. */
            filter?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last use in RFC 3339, rounded to a minute; absent if the key was never used.
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            revokedAt?: string;
        };
        KeyList: {
            /** @description Keys, newest first. */
            keys: components["schemas"]["Key"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        DoctorReport: {
            ok: boolean;
            version: string;
            node: string;
            platform: string;
            cores: number;
            memoryBytes: number;
            /** @description Values on this machine of the settings whose defaults depend on it. */
            machineSettings: {
                [key: string]: number;
            };
            /** @description Settings of models, limits and retention in effect, without secrets. */
            settings: {
                [key: string]: string | number | boolean;
            };
            home: string;
            freeBytes: number;
            storeFormat: number;
            collections: number;
            /** @description Ids of the parsers. */
            parsers: string[];
            /** @description Names that `--embedder` accepts. */
            embedders: string[];
            /** @description Hosts of the configured models and of the indexed web pages. */
            hosts: string[];
            checks: {
                /** @enum {string} */
                name: "catalog" | "disk" | "s3" | "database" | "weaviate" | "embedder" | "reranker" | "collections" | "upkeep" | "OCR" | "LibreOffice" | "parser processes" | "answer risk" | "chat model" | "chat model in use";
                ok: boolean;
                detail: string;
                error?: {
                    /** @enum {string} */
                    code: "unsupported_format" | "empty" | "no_text" | "encrypted" | "corrupt" | "too_large" | "timeout" | "fetch_failed" | "forbidden_source" | "not_found" | "conflict" | "invalid_input" | "unauthorized" | "rate_limited" | "model_unavailable" | "model_unauthorized" | "model_missing" | "model_refused" | "store_mismatch" | "store_unavailable" | "disk_full" | "cancelled" | "internal";
                    /** @description Message for people: what failed, why, and what to do. */
                    message: string;
                    /**
                     * @description Part of the setup that failed. Only on the command line.
                     * @enum {string}
                     */
                    subject?: "model" | "store";
                    /** @description Command or setting that helps. Only on the command line. */
                    advice?: string;
                };
            }[];
        };
        NewKey: {
            id: string;
            name: string;
            /** @description Tenant whose store the key opens. */
            tenant: string;
            /** @enum {string} */
            scope: "read" | "write" | "admin";
            /** @description Names or ids of the only collections that the key sees. Absent: all. */
            collections?: string[];
            /** @description Condition of the only documents that the key sees. Absent: all. */
            filter?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last use in RFC 3339, rounded to a minute; absent if the key was never used.
             */
            lastUsedAt?: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            revokedAt?: string;
            /** @description Secret to send as `Authorization: Bearer TOKEN`. It is not shown again. */
            token: string;
        };
        Page: {
            /** @description Id of the document. */
            document: string;
            /** @description Base name of the document's source. */
            doc: string;
            /** @description Number of the page, from 1. */
            page: number;
            /** @description Number of pages of the document. */
            pages?: number;
            /** @description Size of the page in the unit of the boxes, if a picture can be made of it. */
            size?: {
                width: number;
                height: number;
            };
            /** @description Path of the page's picture on this service, if one can be made. */
            picture?: string;
            text: string;
            blocks: {
                /** @enum {string} */
                kind: "heading" | "paragraph" | "list" | "table" | "code" | "caption" | "listing";
                text: string;
                /** @description Level of a heading (1 to 6, where 1 is the top). */
                level?: number;
                /** @description Number of the page, from 1, in formats that have pages. */
                page?: number;
                /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                box?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** @description Printed lines, with their offsets in the text of the block. */
                lines?: {
                    start: number;
                    end: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
                /** @description Rows of a table, header first. Merged cells are repeated. */
                rows?: string[][];
                /** @description True if the table continues the previous one. */
                isContinued?: boolean;
                /**
                 * @description Number format of a table. `native`: its numbers are typed values. `semicolons`: semicolons separate its cells.
                 * @enum {string}
                 */
                numbers?: "native" | "semicolons";
                /** @description Row and column, from 0, of the cells that are text in a table of typed numbers. */
                textNumbers?: [
                    number,
                    number
                ][];
                /** @description Targets of links that the text does not show. */
                links?: string[];
                /** @description Share of the block's characters that are in links (0 to 1). */
                linkShare?: number;
                charStart: number;
                charEnd: number;
            }[];
            report?: {
                /** @description Number of the page, from 1. */
                page: number;
                characters: number;
                images: number;
                /** @description Share of characters that are unreadable (0 to 1). */
                garbled: number;
                /** @description Page label that the document states, such as `iv`. */
                label?: string;
                /** @description Present if the page was read by OCR. */
                ocr?: {
                    /** @enum {string} */
                    engine: "tesseract" | "pp-ocr";
                    /** @description Mean confidence of OCR on the page (0 to 1). */
                    confidence: number;
                };
            };
            /** @description Warnings about this page. */
            warnings: {
                /** @description Stable code of the kind of warning. */
                code: string;
                /** @description Message for people: what is missing or uncertain, and why. */
                message: string;
                /** @description Number of the page that the warning is about, from 1. */
                page?: number;
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            }[];
        };
        Blocks: {
            blocks: {
                /** @enum {string} */
                kind: "heading" | "paragraph" | "list" | "table" | "code" | "caption" | "listing";
                text: string;
                /** @description Level of a heading (1 to 6, where 1 is the top). */
                level?: number;
                /** @description Number of the page, from 1, in formats that have pages. */
                page?: number;
                /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                box?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** @description Printed lines, with their offsets in the text of the block. */
                lines?: {
                    start: number;
                    end: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
                /** @description Rows of a table, header first. Merged cells are repeated. */
                rows?: string[][];
                /** @description True if the table continues the previous one. */
                isContinued?: boolean;
                /**
                 * @description Number format of a table. `native`: its numbers are typed values. `semicolons`: semicolons separate its cells.
                 * @enum {string}
                 */
                numbers?: "native" | "semicolons";
                /** @description Row and column, from 0, of the cells that are text in a table of typed numbers. */
                textNumbers?: [
                    number,
                    number
                ][];
                /** @description Targets of links that the text does not show. */
                links?: string[];
                /** @description Share of the block's characters that are in links (0 to 1). */
                linkShare?: number;
                charStart: number;
                charEnd: number;
            }[];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: number;
        };
        ChunkPage: {
            /** @description Chunks in the order of the text. */
            chunks: components["schemas"]["Chunk"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: number;
        };
        Chunk: {
            id: string;
            text: string;
            /** @description Title, headings and table header: indexed and shown to models, never cited. */
            context: string;
            headings: string[];
            tokens: number;
            /** @description First and last page, in formats that have pages. */
            pages?: [
                number,
                number
            ];
            charStart: number;
            charEnd: number;
            /** @constant */
            isListing?: true;
            /**
             * @description Present if a user switched the chunk off: no search or answer finds it.
             * @constant
             */
            isExcluded?: true;
            /** @description Note that a user added. It is searched, and is no text of the document. */
            note?: string;
        };
        Tables: {
            tables: {
                /** @description Name of the table in SQL. */
                name: string;
                caption: string | null;
                /** @description Headings above the table, outermost first. */
                headings: string[];
                /** @description Number of the page, from 1, in formats that have pages. */
                page: number | null;
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                charEnd: number;
                /** @description True if rows were left out because the document has too many cells. */
                isCut: boolean;
                /** @description Name of the column that identifies the rows. */
                key: string | null;
                columns: {
                    /** @description Name that the header states; empty if there is no header. */
                    name: string;
                    /** @enum {string} */
                    kind: "number" | "date" | "time" | "flag" | "text";
                    /** @description Unit of the numbers, if the header, the caption or all cells state one. */
                    unit: string | null;
                    /** @description Factor of the cells, such as 10000 for `万元`. Default 1. */
                    scale: number;
                    /** @description Quantity that the numbers measure, such as `length`. */
                    measure: string | null;
                    /**
                     * @description True if the column has numbers that can be read in two ways, such as `1.234`.
                     * @constant
                     */
                    isAmbiguous?: true;
                }[];
                /** @description Rows of cell texts, without the header. */
                rows: string[][];
                /** @description Place and value of each cell of `rows`. */
                cells: {
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    charEnd: number;
                    page?: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box?: [
                        number,
                        number,
                        number,
                        number
                    ];
                    /** @description Value of the column's kind. A time is in minutes after midnight. */
                    value?: number | boolean | {
                        year?: number;
                        month?: number;
                        day?: number;
                        quarter?: number;
                        half?: number;
                    };
                    /** @description End of a range that starts with `value`. */
                    upTo?: number;
                    /**
                     * @description True if the cell states an approximate value or a bound.
                     * @constant
                     */
                    isInexact?: true;
                    /** @description Unit of this cell, if it differs from the column's unit. */
                    unit?: string;
                }[][];
                /** @description Indexes of rows that summarize other rows, from 0. */
                summaryRows: number[];
            }[];
        };
        Passage: {
            documentId: string;
            /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
            source: string;
            /** @description Headings above the text, outermost first. */
            headings: string[];
            /** @description Page of the first word, from 1, in formats that have pages. */
            page?: number;
            /** @description First and last page, in formats that have pages. */
            pages?: [
                number,
                number
            ];
            /** @description Offset of the first character in the parsed text, in UTF-16 units. */
            charStart: number;
            /** @description Offset after the last character in the parsed text, in UTF-16 units. */
            charEnd: number;
            /** @description Text of the document at this place. */
            text: string;
            /** @description Base name of the source. */
            doc: string;
            title: string;
            /** @description Boxes of the lines that contain the words, in formats that have pages. */
            boxes: {
                page: number;
                charStart: number;
                charEnd: number;
                /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                box: [
                    number,
                    number,
                    number,
                    number
                ];
            }[];
        };
        Job: {
            id: string;
            /** @description Id of the document; absent if the job is about a complete collection. */
            documentId?: string;
            collectionId: string;
            /** @description Source of the document, or `collection` and the name of the collection. */
            source: string;
            /** @enum {string} */
            state: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @enum {string} */
            stage?: "parse" | "chunk" | "embed" | "write";
            /** @description Number of pages, chunks or rows done in this stage. */
            done: number;
            /** @description Number of pages, chunks or rows in this stage, once it is determined. */
            total?: number;
            /** @description Estimated seconds until the end of this stage. */
            secondsLeft?: number;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description Time in RFC 3339, in UTC.
             */
            finishedAt?: string;
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
        };
        JobList: {
            /** @description Jobs, newest first. */
            jobs: components["schemas"]["Job"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
            /** @description Number of all jobs, also of those not listed here. */
            total: number;
            /** @description Number of queued jobs that no process works on. */
            unattended: number;
        };
        Source: {
            /** @description Id of its job, which shows, cancels and retries the last run. */
            id: string;
            /** @description Name of the source in the settings. */
            name: string;
            /** @description Kind of the source, such as `folder` or `s3`. */
            type: string;
            /** @description Name of the collection that the source is kept in. */
            collection: string;
            /** @description Minutes between the end of a run and the next one; 0 if it runs on request only. */
            everyMinutes: number;
            /** @enum {string} */
            state: "new" | "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description Number of documents that the last run compared. */
            done: number;
            /**
             * Format: date-time
             * @description Start of the last run.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description End of the last run.
             */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description Start of the next run; absent if none is planned.
             */
            nextAt?: string;
            /** @description Number of documents of each outcome in the last run. */
            totals?: {
                [key: string]: number;
            };
            /** @description Documents that failed in the last run (the first 20). */
            failures: {
                source: string;
                error: {
                    /** @description Stable code of the kind of error, such as `not_found`. */
                    code: string;
                    /** @description Message for people: what failed, why, and what to do. */
                    message: string;
                    /**
                     * @description Part of the setup that failed. Only on the command line.
                     * @enum {string}
                     */
                    subject?: "model" | "store";
                    /** @description Command or setting that helps. Only on the command line. */
                    advice?: string;
                };
            }[];
            /** @description Why the last run failed. */
            error?: {
                /** @description Stable code of the kind of error, such as `not_found`. */
                code: string;
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Part of the setup that failed. Only on the command line.
                 * @enum {string}
                 */
                subject?: "model" | "store";
                /** @description Command or setting that helps. Only on the command line. */
                advice?: string;
            };
        };
        SourceList: {
            /** @description Sources, in the order of the settings. */
            sources: components["schemas"]["Source"][];
            /** @description True if there are more after this page. */
            hasMore: boolean;
            /** @description Value of `after` for the next page. */
            last?: string;
        };
        Event: {
            /** @description Id of the event. The header `Last-Event-ID` or `after` continues after it. */
            id: string;
            /** @enum {string} */
            type: "document.completed" | "document.failed" | "document.deleted" | "collection.deleted" | "job.completed" | "job.failed" | "job.cancelled" | "response.completed" | "response.failed" | "response.incomplete" | "response.cancelled";
            /**
             * Format: date-time
             * @description Time of the change in RFC 3339.
             */
            timestamp: string;
            data: {
                collectionId?: string;
                documentId?: string;
                /** @description Caller's own id of the document. */
                externalId?: string;
                source?: string;
                jobId?: string;
                responseId?: string;
                error?: {
                    /** @description Stable code of the kind of error, such as `not_found`. */
                    code: string;
                    /** @description Message for people: what failed, why, and what to do. */
                    message: string;
                    /**
                     * @description Part of the setup that failed. Only on the command line.
                     * @enum {string}
                     */
                    subject?: "model" | "store";
                    /** @description Command or setting that helps. Only on the command line. */
                    advice?: string;
                };
            };
        };
        ReEmbedding: {
            /** @description Name of the collection. */
            collection: string;
            id: string;
            /** @description Previous model or index engine. */
            before?: string;
            /** @description Job that does the work; absent if there is nothing to do. */
            job?: components["schemas"]["Job"];
        };
        Synonyms: {
            /** @description Name of the collection. */
            collection: string;
            id: string;
            /** @description Synonyms, one group per line: terms with commas between them, or `a => b` for one direction. Empty if there are none. */
            text: string;
            /** @description Number of groups. */
            groups: number;
        };
        Error: {
            error: {
                /** @description Message for people: what failed, why, and what to do. */
                message: string;
                /**
                 * @description Kind of the error. `requests`: OpenAI's type for too many requests, sent under `/v1` only.
                 * @enum {string}
                 */
                type: "invalid_request_error" | "requests" | "server_error";
                /** @description Path of the request parameter that is wrong, such as `tools.0.type`. */
                param: string | null;
                /** @description Stable code of the kind of error. Under `/v1` it is OpenAI's, where OpenAI has one. */
                code: string;
            };
        };
        AskEvents: {
            /** @description Data of `start`. */
            start: {
                question: string;
                /** @description Id of the conversation that the answer is in. */
                conversation?: string;
                /** @description Number of the turn in the conversation, from 1. */
                turn?: number;
            };
            /** @description Data of `plan`: the parts of a split question. */
            plan: {
                questions: string[];
            };
            /** @description Data of `retrieval`: the hits of one search. */
            retrieval: {
                query: string;
                hits: {
                    documentId: string;
                    /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                    source: string;
                    /** @description Headings above the text, outermost first. */
                    headings: string[];
                    /** @description Page of the first word, from 1, in formats that have pages. */
                    page?: number;
                    /** @description First and last page, in formats that have pages. */
                    pages?: [
                        number,
                        number
                    ];
                    /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                    charStart: number;
                    /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                    charEnd: number;
                    /** @description Text of the document at this place. */
                    text: string;
                    /** @description Score of the hit; comparable only within one response. */
                    score: number;
                    /** @description Likelihood that the hit answers the query (0 to 1), independent of the other hits. */
                    confidence?: number;
                    /** @description True if the hit is likely about something else. Its confidence is at most 0.03. */
                    weak: boolean;
                    /**
                     * @description True if the passage only lists content, such as a table of contents.
                     * @constant
                     */
                    isListing?: true;
                    chunkId: string;
                    /** @description Title of the document. */
                    title: string;
                    /** @description Names of the columns, if the text begins below them inside a table. */
                    tableHeader?: string;
                    /** @description Note that a user added to the passage. It is searched, and is no text of the document. */
                    note?: string;
                    /** @description Attributes of the document. Absent if it has none. */
                    attributes?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Other places with the same text. */
                    copies?: {
                        chunkId: string;
                        documentId: string;
                        source: string;
                        /** @description Base name of the source. */
                        name: string;
                        /** @description First and last page, in formats that have pages. */
                        pages?: [
                            number,
                            number
                        ];
                        /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                        charStart: number;
                        /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                        charEnd: number;
                    }[];
                    /** @description Words of the query that no document contains, and the terms that were searched instead. */
                    corrected?: {
                        from: string;
                        to: string[];
                    }[];
                    /** @description Terms of the query, and the synonyms of the collection that were searched, too. */
                    synonyms?: {
                        from: string;
                        to: string[];
                    }[];
                    /** @description Reason why the requested reranker had no effect. */
                    notReranked?: string;
                    /** @description How the hit was ranked; only with `explain`. */
                    explain?: {
                        /** @description Terms of the query that the passage contains. */
                        terms: {
                            term: string;
                            /** @description Part of the BM25 score that the term adds. */
                            weight: number;
                        }[];
                        /** @description Rank and score of the passage in keyword search. */
                        keyword?: {
                            /** @description Rank from 1; absent if it is below the rows that were read. */
                            rank?: number;
                            score: number;
                        };
                        /** @description Rank and score of the passage in vector search. */
                        vector?: {
                            /** @description Rank from 1; absent if it is below the rows that were read. */
                            rank?: number;
                            score: number;
                        };
                        /** @description Part of the score that each of the two searches adds. */
                        fusion?: {
                            keyword: number;
                            vector: number;
                        };
                        /** @description Attributes of the document that the filter compared. */
                        filter?: {
                            [key: string]: string | number | boolean;
                        };
                        reranked?: {
                            /** @description Rank before the reranker, from 1. */
                            rank: number;
                            /** @description Score that the reranker gave. */
                            score: number;
                            parts?: {
                                search: number;
                                reranker: number;
                            };
                        };
                    };
                }[];
            };
            /** @description Data of `token`: a piece of the answer. */
            token: {
                text: string;
            };
            /** @description Data of `token_reset`: the tokens so far, which were reasoning. */
            token_reset: {
                reasoning: string;
            };
            /** @description Data of `reasoning`: a piece of the reasoning of the model. */
            reasoning: {
                text: string;
            };
            /** @description Data of `tool_call`: a call by the model. */
            tool_call: {
                id: string;
                name: string;
                /** @description Arguments as JSON, exactly as the model wrote them. */
                arguments: string;
                /** @description Error in the call, if any. Such a call is not run. */
                problem?: string;
            };
            /** @description Data of `tool_result`: the result of the call with this id. */
            tool_result: {
                id: string;
                name: string;
                text: string;
            };
            /** @description Data of `approval`: a call that waits for approval. */
            approval: {
                call: {
                    id: string;
                    name: string;
                    /** @description Arguments as JSON, exactly as the model wrote them. */
                    arguments: string;
                    /** @description Error in the call, if any. Such a call is not run. */
                    problem?: string;
                };
            };
            /** @description Data of `citation`. */
            citation: {
                documentId: string;
                /** @description Absolute path (base name for a `read` key), URL, `upload:NAME` or `id:ID` of the document. */
                source: string;
                /** @description Headings above the text, outermost first. */
                headings: string[];
                /** @description Page of the first word, from 1, in formats that have pages. */
                page?: number;
                /** @description First and last page, in formats that have pages. */
                pages?: [
                    number,
                    number
                ];
                /** @description Offset of the first character in the parsed text, in UTF-16 units. */
                charStart: number;
                /** @description Offset after the last character in the parsed text, in UTF-16 units. */
                charEnd: number;
                /** @description Text of the document at this place. */
                text: string;
                /** @description Number in the text: `3` for `[3]`. */
                marker: number;
                /** @description Id of the file of the document, as in `/v1/files`, if it has one. */
                fileId?: string;
                /** @description Base name of the source. */
                doc: string;
                /** @description Label of `page` that the document states, such as `iv`, if it is another. */
                pageLabel?: string;
                /** @description Boxes of the lines that contain the quoted words, in formats that have pages. */
                boxes?: {
                    page: number;
                    charStart: number;
                    charEnd: number;
                    /** @description x0, y0, x1 and y1 in PDF points from the top left of the page. */
                    box: [
                        number,
                        number,
                        number,
                        number
                    ];
                }[];
                /**
                 * @description The quotation was read back from the stored document and is identical.
                 * @constant
                 */
                quoteVerified: true;
                /**
                 * @description Older name of `quoteVerified`, always equal to it.
                 * @constant
                 */
                verified: true;
                /**
                 * @description Whether the quoted place states the claim that carries the marker.
                 * @enum {string}
                 */
                support: "stated" | "not-stated" | "unknown";
            };
            /** @description Data of `usage`: the tokens of one model call. */
            usage: {
                promptTokens: number;
                completionTokens: number;
                totalTokens: number;
                /** @description Price of the tokens, as the model server reports it. */
                cost?: number;
            };
            /** @description Data of `notice`: a message beside the answer. */
            notice: {
                name: string;
                text: string;
            };
            /** @description Data of `agent`: an event of another agent that was called. */
            agent: {
                name: string;
                event: {
                    type: string;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description Data of `answer`, the last event: the checked answer. */
            answer: components["schemas"]["Answer"];
            /** @description Data of `stopped`, the last event of an answer that was stopped. */
            stopped: {
                reason?: string;
                message?: string;
            };
            /** @description Data of `error`, the last event of an answer that failed. */
            error: components["schemas"]["Error"];
        };
    };
    responses: {
        /** @description An error with the code `invalid_input` or `unsupported`. Under `/v1`: `invalid_value` or `missing_required_parameter` or `unknown_parameter` or `invalid_type` or `invalid_input` or `unsupported_parameter`. */
        Error400: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `unauthorized`. Under `/v1`: `invalid_api_key`. */
        Error401: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `forbidden_source` or `forbidden`. */
        Error403: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `not_found`. Under `/v1`: `model_not_found` or `not_found`. */
        Error404: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `conflict`. */
        Error409: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `too_large`. */
        Error413: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `unsupported_format`. */
        Error415: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `empty` or `no_text` or `encrypted` or `corrupt`. */
        Error422: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `rate_limited`. Under `/v1`: `rate_limit_exceeded`. */
        Error429: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `internal` or `store_mismatch`. Under `/v1`: `server_error` or `store_mismatch`. */
        Error500: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `fetch_failed` or `model_unauthorized` or `model_missing` or `model_refused`. */
        Error502: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `model_unavailable` or `store_unavailable` or `cancelled`. */
        Error503: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `timeout`. */
        Error504: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `disk_full`. */
        Error507: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `method_not_allowed`. Under `/v1`: `method_not_supported`. */
        Error405: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error with the code `invalid_input`. Under `/v1`: `invalid_value` or `missing_required_parameter` or `unknown_parameter` or `invalid_type` or `invalid_input`. */
        Error416: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error. */
        Error: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-passim-scope": components["headers"]["Scope"];
                "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                "x-should-retry": components["headers"]["ShouldRetry"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request in the server's log. */
        RequestId: string;
        /** @description `false` if the same request would fail again. */
        ShouldRetry: string;
        /** @description Seconds to wait before the next try. */
        RetryAfter: string;
        /** @description Names of request parameters that were ignored because they or the model are unknown. */
        Ignored: string;
        /** @description Scope of the key of the request: `read`, `write` or `admin`. Absent without keys. */
        Scope: string;
        /** @description Maximum number of requests per minute with this key. */
        RateLimit: string;
        /** @description Number of requests that the key may send now. */
        RateRemaining: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postApiFind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "A hotel costs at most 140 euros a night.",
                 *       "collections": [
                 *         "travel"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Quotation to find (1 to 20,000 characters); or `image`. */
                    text?: string;
                    /** @description Picture of a page as a data URI, which OCR reads; or `text`. */
                    image?: string;
                    /** @description Names or ids of the collections to search (at most 256). Default: all collections. */
                    collections?: string[];
                    /** @description Maximum number of places to return (1 to 100, default 5). */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "What may a hotel cost?",
                 *       "collections": [
                 *         "travel"
                 *       ],
                 *       "mode": "hybrid",
                 *       "limit": 5
                 *     }
                 */
                "application/json": {
                    /** @description Question or words to search for, in any language. */
                    query: string;
                    /** @description Names or ids of the collections to search (at most 256). Default: the collection `default`. */
                    collections?: string[];
                    /** @description Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections. */
                    documents?: string[];
                    /** @description Filter on attributes and metadata: a filter object of vector stores, or a filter text as in `passim search --filter`. */
                    filter?: string | {
                        [key: string]: unknown;
                    };
                    /** @description The 2 numbers of the first and last page to search, from 1. Default: all pages. */
                    pages?: [
                        number,
                        number
                    ];
                    /**
                     * @description Search mode: `hybrid` (keywords and vectors, the default), `keyword`, `vector` or `front-page`.
                     * @default hybrid
                     * @enum {string}
                     */
                    mode?: "hybrid" | "keyword" | "vector" | "front-page";
                    /** @description Weights of both rankings in hybrid mode, not both 0. Only their ratio matters. Default: the setting `searching.weights`, 1 each unless changed. */
                    weights?: {
                        /** @description Weight of the ranking by keyword, 0 or more. */
                        keyword: number;
                        /** @description Weight of the ranking by meaning, 0 or more. */
                        vector: number;
                    };
                    /** @description If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read. */
                    precise?: boolean;
                    /** @description If true, add to each hit how it was ranked. Default false. */
                    explain?: boolean;
                    /** @description Id, source or base name of an expected document. The response explains why it is, or is not, among the hits. */
                    why?: string;
                    /** @description Maximum number of hits to return (1 to 1,000, default 10). */
                    limit?: number;
                    /** @description Maximum number of tokens of `context`, which contains the hits as text for a model. Default: no `context`. */
                    contextTokens?: number;
                    /** @description Another name for `limit` (1 to 1,000), as on the command line. */
                    n?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Search"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiAsk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "question": "What may a hotel cost?",
                 *       "collections": [
                 *         "travel"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Question to answer from the documents, in any language. */
                    question: string;
                    /** @description Names or ids of the collections to search (at most 256). Default: the collection `default`. */
                    collections?: string[];
                    /** @description Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections. */
                    documents?: string[];
                    /** @description Name of another chat model on the configured model server. Default: the configured model. */
                    model?: string;
                    /** @description If true, answer with quotations from the documents instead of asking a chat model. Default false. */
                    extractive?: boolean;
                    /** @description How certain an extractive answer has to be (0 to 1). At 0 even unlikely quotations are returned. Default: the setting `answering.strictness` (0.5). */
                    strictness?: number;
                    /** @description Maximum share of wrong ones among extractive answers and among confirmed sentences of a model (above 0, 1 for any). Less certain answers become refusals with the warning `too_unsure`; less certain sentences are not confirmed (`claims_too_unsure`). Default: the setting `answering.maxRisk` (1). */
                    maxRisk?: number;
                    /** @description If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read. */
                    precise?: boolean;
                    /**
                     * @description How thoroughly to search: `low`, `medium` or `high` splits the question into parts, searches for each, and checks drafts of the answer. Default: one search and no drafts.
                     * @enum {string}
                     */
                    effort?: "low" | "medium" | "high";
                    /**
                     * @description If true, send server-sent events while the answer is written. Default false.
                     * @default false
                     */
                    stream?: boolean;
                    /** @description Id of the conversation to continue, or `new` to start one. Without it the answer is not stored. */
                    conversation?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                    "text/event-stream": components["schemas"]["AskEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiConversations: {
        parameters: {
            query?: {
                /** @description Id of the last conversation of the previous page. */
                after?: string;
                /** @description Maximum number of conversations to return (1 to 100, default 20). */
                limit?: number;
                /** @description Part of the title (at most 200 characters): return only such conversations. Default: all. */
                title?: string;
                /** @description If true, return only pinned conversations. Default false. */
                pinned?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiConversationsId: {
        parameters: {
            query?: {
                /** @description Number of a turn, from 1: return only turns before it. Default: the last turns. */
                before?: number;
                /** @description Maximum number of turns to return (1 to 100, default 20). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiConversationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedConversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    patchApiConversationsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Travel costs",
                 *       "pinned": true
                 *     }
                 */
                "application/json": {
                    /** @description New title of the conversation (1 to 200 characters). Default: unchanged. */
                    title?: string;
                    /** @description Whether it is kept on top of lists; `metadata.pinned` under `/v1`. Default: unchanged. */
                    pinned?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationHead"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiConversationsIdEvents: {
        parameters: {
            query?: {
                /** @description Number of the last event that the client received. The stream continues after it. Default: the header `Last-Event-ID`, else from the first event of the turn. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["AskEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiConversationsIdStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedConversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiConversationsIdResume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stream": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description If true, send the events of `/api/ask` while the answer is written. Default false.
                     * @default false
                     */
                    stream?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                    "text/event-stream": components["schemas"]["AskEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    putApiAnswersIdJudgement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the answer: `CONVERSATION.TURN`, such as `conv_01a2….1`, or the id of its message, such as `msg_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": "bad",
                 *       "reason": "The figure is of last year."
                 *     }
                 */
                "application/json": {
                    /** @description Whether the answer is right and complete; null removes the judgement. */
                    rating: ("good" | "bad") | null;
                    /** @description Reason for the rating (1 to 2,000 characters). Default: none. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiJudgements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiAnswersIdFollowUps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the answer: `CONVERSATION.TURN`, such as `conv_01a2….1`, or the id of its message, such as `msg_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowUps"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiAnswersIdReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the answer: `CONVERSATION.TURN`, such as `conv_01a2….1`, or the id of its message, such as `msg_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiReceiptsKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "travel",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "parts": [
                 *             {
                 *               "type": "text",
                 *               "text": "What may a hotel cost?"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Id of the chat: the id of an existing conversation, or any text that the client chooses (1 to 200 characters). */
                    id: string;
                    /** @description Messages of the chat, oldest first (1 to 1,000). The last message of the user is the question. */
                    messages: ({
                        /** @description Id of the message, which the client chooses. */
                        id?: string;
                        /**
                         * @description Author of the message: `system`, `user` or `assistant`.
                         * @enum {string}
                         */
                        role: "system" | "user" | "assistant";
                        /** @description Parts of the message: texts, files and tool calls (at most 1,000). */
                        parts: ({
                            /** @description Kind of the part, such as `text`, `file` or `tool-NAME`. */
                            type: string;
                            /** @description Text of a part of the kind `text`. */
                            text?: string;
                            /** @description Address or data URL of a part of the kind `file`. */
                            url?: string;
                            /** @description Media type of a file, such as `image/png`. */
                            mediaType?: string;
                            /** @description Name of a file. Default: a name by its type. */
                            filename?: string;
                            /** @description State of a tool call, as the stream reported it. */
                            state?: string;
                            /** @description Id of the tool call that the part belongs to. */
                            toolCallId?: string;
                            /** @description Decision of the user about a call that needs approval. */
                            approval?: {
                                /** @description Whether the tool may be called. Default false. */
                                approved?: boolean;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        })[];
                    } & {
                        [key: string]: unknown;
                    })[];
                    /**
                     * @description Reason for the request: `submit-message` for a new question, `regenerate-message` to answer again.
                     * @enum {string}
                     */
                    trigger?: "submit-message" | "regenerate-message";
                    /** @description Id of the message to answer again or to replace (at most 200 characters). */
                    messageId?: string;
                    /** @description Names or ids of the collections to search (at most 256). Default: the collection `default`. */
                    collections?: string[];
                    /** @description Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections. */
                    documents?: string[];
                    /** @description Name of another chat model on the configured model server. Default: the configured model. */
                    model?: string;
                    /** @description If true, answer with quotations from the documents instead of asking a chat model. Default false. */
                    extractive?: boolean;
                    /** @description Number of a skill in the setting `conversations.skills`. Default: no skill. */
                    skill?: number;
                    /** @description If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read. */
                    precise?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiChatId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the chat, as the client chose it in its first message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chat"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiChatIdStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the chat, as the client chose it in its first message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description No answer is being written. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiChatIdStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the chat, as the client chose it in its first message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedChat"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiThreads: {
        parameters: {
            query?: {
                /** @description Id of the last thread of the previous page. */
                after?: string;
                /** @description Maximum number of threads to return (1 to 100, default 20). */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiThreadsMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "thread_id": "",
                 *       "role": "user",
                 *       "content": {
                 *         "type": "plain",
                 *         "text": "What may a hotel cost?"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Id of the thread; empty for the first message of a new thread (at most 100 characters; default: empty).
                     * @default
                     */
                    thread_id?: string;
                    /** @description The client's own id of the thread. It is stored and returned unchanged (at most 100 characters). */
                    local_thread_id?: string;
                    /** @description The client's own id of the message (at most 100 characters), returned unchanged. */
                    local_message_id?: string;
                    /** @description Any JSON object of the client. It is stored and returned unchanged. */
                    extra?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Kind of the message: `user` asks, `system` is stored without an answer, `status` resumes an answer.
                     * @constant
                     */
                    role: "user";
                    /** @description Content of the message, always as plain text. */
                    content: {
                        /**
                         * @description Kind of the content. Only `plain` text exists.
                         * @constant
                         */
                        type: "plain";
                        /** @description Text of the message: a question or a note. */
                        text: string;
                    };
                    /** @description Number of a skill in the setting `conversations.skills`. Default: no skill. */
                    input_skill_id?: number;
                    /**
                     * @description Files that the message is about, uploaded to `/v1/files` before (at most 64). Default: none.
                     * @default []
                     */
                    attachments?: ({
                        /** @description Id of a file uploaded to `/v1/files` (at most 100 characters). */
                        file_id: string;
                        /** @description Name to show for the file. It is stored and returned unchanged. */
                        filename?: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description Names or ids of the collections to search (at most 256). Default: the collection `default`. */
                    collections?: string[];
                    /** @description Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections. */
                    documents?: string[];
                } | {
                    /**
                     * @description Id of the thread; empty for the first message of a new thread (at most 100 characters; default: empty).
                     * @default
                     */
                    thread_id?: string;
                    /** @description The client's own id of the thread. It is stored and returned unchanged (at most 100 characters). */
                    local_thread_id?: string;
                    /** @description The client's own id of the message (at most 100 characters), returned unchanged. */
                    local_message_id?: string;
                    /** @description Any JSON object of the client. It is stored and returned unchanged. */
                    extra?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Kind of the message: `user` asks, `system` is stored without an answer, `status` resumes an answer.
                     * @constant
                     */
                    role: "system";
                    /** @description Content of the message, always as plain text. */
                    content: {
                        /**
                         * @description Kind of the content. Only `plain` text exists.
                         * @constant
                         */
                        type: "plain";
                        /** @description Text of the message: a question or a note. */
                        text: string;
                    };
                } | {
                    /** @description Id of the thread whose answer is to be resumed (1 to 100 characters). */
                    thread_id: string;
                    /** @description The client's own id of the thread. It is stored and returned unchanged (at most 100 characters). */
                    local_thread_id?: string;
                    /** @description The client's own id of the message (at most 100 characters), returned unchanged. */
                    local_message_id?: string;
                    /** @description Any JSON object of the client. It is stored and returned unchanged. */
                    extra?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Kind of the message: `user` asks, `system` is stored without an answer, `status` resumes an answer.
                     * @constant
                     */
                    role: "status";
                    /** @description Facts that name the interrupted answer to resume. */
                    content: {
                        /**
                         * @description Code of the protocol for a resumption: -2001.
                         * @constant
                         */
                        code: -2001;
                        /** @description Text of the client, stored with the message. */
                        message?: string;
                        /** @description Facts about the interruption: the id of its message. */
                        extra: {
                            /** @description Id of the message that reported the interruption (at most 100 characters). */
                            message_id: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadMessage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiThreadsIdMessages: {
        parameters: {
            query?: {
                /** @description The `message_id` of the last message that the client received (at most 100 characters). Default: the header `Last-Event-ID`, else from the first message. */
                after?: string;
                /** @description Maximum number of messages to return (1 to 1,000, default 100). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. A thread is a conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreadMessages"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiThreadsIdEvents: {
        parameters: {
            query?: {
                /** @description The `message_id` of the last message that the client received (at most 100 characters). Default: the header `Last-Event-ID`, else from the first message. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. A thread is a conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ThreadEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiThreadsIdStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. A thread is a conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedThread"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiThreadsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. A thread is a conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedThread"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocuments: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of documents to return (1 to 1,000, default 200). */
                limit?: number;
                /** @description Name or id of the collection. Default: the collection `default`. */
                collection?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.org/rules.html",
                 *       "collection": "travel"
                 *     }
                 */
                "application/json": {
                    /** @description Address of a public web page, beginning with http:// or https:// (at most 2,000 characters). */
                    url: string;
                    /** @description Name of the collection, which is created if it does not exist. Default: the collection `default`. */
                    collection?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEntry"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiDocumentsIdIndex: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ocr": "always"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Which pages to read by OCR from now on: `auto`, `off` or `always`. Default: the setting.
                     * @enum {string}
                     */
                    ocr?: "auto" | "off" | "always";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEntry"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdText: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdPagesPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
                /** @description Number of the page in the file, from 1. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdPagesPagePng: {
        parameters: {
            query?: {
                /** @description Width of the picture in pixels (1 to 2,400, default 1,200). It is rounded up to one of a few widths. */
                width?: number;
            };
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
                /** @description Number of the page in the file, from 1. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdBlocks: {
        parameters: {
            query?: {
                /** @description Offset in the parsed text in UTF-16 units: return the blocks that end after it (default 0). */
                after?: number;
                /** @description Maximum number of blocks to return (1 to 500, default 200). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Blocks"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdTables: {
        parameters: {
            query?: {
                /** @description Format of the response. Default: CSV if the `Accept` header names `text/csv`, else JSON. */
                format?: "json" | "csv";
                /** @description Number of a single table to return, from 1. Default: all tables in JSON, the first in CSV. */
                table?: number;
            };
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tables"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Range of bytes to return, such as `bytes=0-99`. Default: the complete file. */
                Range?: string;
                /** @description ETag of the client's copy. The status is 304 if the file has not changed. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range of bytes. */
            206: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            416: components["responses"]["Error416"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiDocumentsIdChunks: {
        parameters: {
            query?: {
                /** @description Number of chunks to skip: the value of `last` in the previous answer (default 0). */
                after?: number;
                /** @description Maximum number of chunks to return (1 to 200, default 50). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollectionsIdDocumentsExternalIdChunks: {
        parameters: {
            query?: {
                /** @description Number of chunks to skip: the value of `last` in the previous answer (default 0). */
                after?: number;
                /** @description Maximum number of chunks to return (1 to 200, default 50). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
                /** @description Id of the document in your own system: 1 to 512 characters, encoded for a URL. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    patchApiDocumentsIdChunksChunkId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
                /** @description Id of the chunk, such as `chunk_01a2…`, as the list of chunks has it. */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Valid for the branch in Bern only."
                 *     }
                 */
                "application/json": {
                    /** @description True: no search or answer finds the chunk. False: they do. Default: unchanged. */
                    isExcluded?: boolean;
                    /** @description Note that is searched with the chunk and never quoted (at most 1,000 characters). Empty: remove it. Default: unchanged. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chunk"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    patchApiCollectionsIdDocumentsExternalIdChunksChunkId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
                /** @description Id of the document in your own system: 1 to 512 characters, encoded for a URL. */
                externalId: string;
                /** @description Id of the chunk, such as `chunk_01a2…`, as the list of chunks has it. */
                chunkId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "Valid for the branch in Bern only."
                 *     }
                 */
                "application/json": {
                    /** @description True: no search or answer finds the chunk. False: they do. Default: unchanged. */
                    isExcluded?: boolean;
                    /** @description Note that is searched with the chunk and never quoted (at most 1,000 characters). Empty: remove it. Default: unchanged. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chunk"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiJobs: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of jobs to return (1 to 1,000, default 50). */
                limit?: number;
                /** @description Name or id of the collection. Default: jobs of all collections. */
                collection?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiJobsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, such as `job_01a2…`, as indexing and `GET /api/jobs` return it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiJobsIdEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, such as `job_01a2…`, as indexing and `GET /api/jobs` return it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiJobsIdCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, such as `job_01a2…`, as indexing and `GET /api/jobs` return it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiJobsIdRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job, such as `job_01a2…`, as indexing and `GET /api/jobs` return it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiSources: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of sources to return (1 to 1,000, default 100). */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiSourcesNameRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the source in the settings. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Source"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiEvents: {
        parameters: {
            query?: {
                /** @description Id of the last event that the client received, or `oldest` (at most 64 characters). Default: the header `Last-Event-ID`, else new events only. */
                after?: string;
                /** @description Types of events to send. Default: all. */
                types?: ("document.completed" | "document.failed" | "document.deleted" | "collection.deleted" | "job.completed" | "job.failed" | "job.cancelled" | "response.completed" | "response.failed" | "response.incomplete" | "response.cancelled")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollections: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of collections to return (1 to 1,000, default 200). */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollectionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiCollectionsIdReEmbed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "embedder": "multilingual-e5-small"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the embedding model, as in `--embedder`: one of the settings `embedder` and `embedders`, the built-in model, or `none` for keyword search only. */
                    embedder: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReEmbedding"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiCollectionsIdMove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "engine": "weaviate"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Index engine to move the collection to.
                     * @enum {string}
                     */
                    engine: "lance" | "weaviate";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReEmbedding"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollectionsIdDocuments: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer (at most 512 characters). Default: start with the first document. */
                after?: string;
                /** @description Maximum number of documents to return (1 to 10,000, default 1,000). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalDocumentPage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiCollectionsIdDocuments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that identifies the request (at most 255 characters). For 24 hours a request with the same key gets the stored answer and is not run again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "ticket-4711",
                 *       "title": "Printer on floor 2 jams",
                 *       "text": "The printer on floor 2 jams with recycled paper.",
                 *       "attributes": {
                 *         "team": "it"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Your own id of the document (1 to 512 characters), unique in the collection: the same id again replaces the document. Default: a new id. */
                    id?: string;
                    /** @description Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`. */
                    text?: string;
                    /** @description Content as Markdown, in place of `text`. */
                    markdown?: string;
                    /** @description An HTML page, or a part of one. */
                    html?: string;
                    /** @description Flat objects, which become the rows of one table. Their keys are its columns. */
                    records?: {
                        [key: string]: string | number | boolean | null;
                    }[];
                    /** @description Title of the document (1 to 500 characters). Default: the title that its text states, else its id. */
                    title?: string;
                    /** @description Attributes of the document, to filter by (at most 16). */
                    attributes?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text. */
                    language?: string;
                    /** @description Address where people read the document (at most 2,000 characters). It is not fetched. */
                    url?: string;
                };
                "application/x-ndjson": {
                    /** @description Your own id of the document (1 to 512 characters), unique in the collection: the same id again replaces the document. Default: a new id. */
                    id?: string;
                    /** @description Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`. */
                    text?: string;
                    /** @description Content as Markdown, in place of `text`. */
                    markdown?: string;
                    /** @description An HTML page, or a part of one. */
                    html?: string;
                    /** @description Flat objects, which become the rows of one table. Their keys are its columns. */
                    records?: {
                        [key: string]: string | number | boolean | null;
                    }[];
                    /** @description Title of the document (1 to 500 characters). Default: the title that its text states, else its id. */
                    title?: string;
                    /** @description Attributes of the document, to filter by (at most 16). */
                    attributes?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text. */
                    language?: string;
                    /** @description Address where people read the document (at most 2,000 characters). It is not fetched. */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutDocument"];
                    "application/x-ndjson": components["schemas"]["PutDocumentLine"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiCollectionsIdDocumentsDelete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "ticket-4711"
                 *       ],
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** @description Your ids of the documents (at most 1,000). */
                    ids?: string[];
                    /** @description Filter on attributes and metadata, as in `POST /api/search`. */
                    filter?: string | {
                        [key: string]: unknown;
                    };
                    /**
                     * @description If true, count the documents without deleting them. Default false.
                     * @default false
                     */
                    dryRun?: boolean;
                    /**
                     * @description If true, delete permanently. Default false: the deletion can be restored for a week.
                     * @default false
                     */
                    now?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDocuments"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollectionsIdDocumentsExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
                /** @description Id of the document in your own system: 1 to 512 characters, encoded for a URL. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    putApiCollectionsIdDocumentsExternalId: {
        parameters: {
            query?: {
                /** @description File name of a body that is the file itself (at most 255 characters). Default: the id. */
                name?: string;
                /** @description Title of the document (1 to 500 characters). Default: the title that its text states, else its id. */
                title?: string;
                /** @description Attributes of the document, to filter by (at most 16). */
                attributes?: {
                    [key: string]: string | number | boolean;
                };
                /** @description Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text. */
                language?: string;
                /** @description Address where people read the document (at most 2,000 characters). It is not fetched. */
                url?: string;
            };
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
                /** @description Id of the document in your own system: 1 to 512 characters, encoded for a URL. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Printer on floor 2 jams",
                 *       "text": "It jams with recycled paper."
                 *     }
                 */
                "application/json": {
                    /** @description Content as plain text. Send exactly one of `text`, `markdown`, `html` and `records`. */
                    text?: string;
                    /** @description Content as Markdown, in place of `text`. */
                    markdown?: string;
                    /** @description An HTML page, or a part of one. */
                    html?: string;
                    /** @description Flat objects, which become the rows of one table. Their keys are its columns. */
                    records?: {
                        [key: string]: string | number | boolean | null;
                    }[];
                    /** @description Title of the document (1 to 500 characters). Default: the title that its text states, else its id. */
                    title?: string;
                    /** @description Attributes of the document, to filter by (at most 16). */
                    attributes?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text. */
                    language?: string;
                    /** @description Address where people read the document (at most 2,000 characters). It is not fetched. */
                    url?: string;
                };
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description Bytes of the file. The part needs a `filename`.
                     */
                    file: string;
                    /** @description Title of the document (1 to 500 characters). Default: the title that its text states, else its id. */
                    title?: string;
                    /** @description Attributes of the document, to filter by (at most 16). */
                    attributes?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description Language of the document as a BCP 47 tag (at most 35 characters). Default: recognized from the text. */
                    language?: string;
                    /** @description Address where people read the document (at most 2,000 characters). It is not fetched. */
                    url?: string;
                };
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutDocument"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiCollectionsIdDocumentsExternalId: {
        parameters: {
            query?: {
                /** @description If true, delete permanently. Default false: the deletion can be restored for a week. */
                now?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
                /** @description Id of the document in your own system: 1 to 512 characters, encoded for a URL. */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgottenDeletion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiCollectionsIdSynonyms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Synonyms"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    putApiCollectionsIdSynonyms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "laptop, notebook, 笔记本电脑\nPC => personal computer"
                 *     }
                 */
                "application/json": {
                    /** @description Synonyms, one group per line: terms with commas between them, or `a => b` for one direction (at most 262,144 characters, 2,000 groups of 20 terms). */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Synonyms"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiCollectionsIdSynonyms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the collection, such as `vs_01a2…`, or its name. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Synonyms"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiDeletions: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of deletions to return (1 to 1,000, default 1000). */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiDeletions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "documents": [
                 *         "doc_01a2290f3b195f14e230f4ac"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Ids of the documents to delete (1 to 1,000). */
                    documents?: string[];
                    /** @description Id or name of a collection to delete. */
                    collection?: string;
                    /** @description Id of a file to delete, with its documents. */
                    file?: string;
                    /**
                     * @description Delete all documents, files and conversations of the store.
                     * @constant
                     */
                    everything?: true;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionReport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiDeletionsIdRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deletion, such as `del_01a2…`, as `GET /api/deletions` lists it, or of the deleted object, or the name of a deleted vector store. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "as": "travel-2025"
                 *     }
                 */
                "application/json": {
                    /** @description New name for a restored vector store, needed if its name is in use again (1 to 128 characters). */
                    as?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restored"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiDeletionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deletion, such as `del_01a2…`, as `GET /api/deletions` lists it, or of the deleted object, or the name of a deleted vector store. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgottenDeletion"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiCitationsId: {
        parameters: {
            query: {
                /** @description Offset of the first character in the parsed text, in UTF-16 units, from 0. */
                start: number;
                /** @description Offset after the last character, in UTF-16 units: 1 to 100,000 more than `start`. Beyond the text, it means its end. */
                end: number;
                /** @description Number of the page, from 1, to show to a browser. No other effect. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the document, such as `doc_01a2…`, as lists and hits have it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiChecks: {
        parameters: {
            query?: {
                /** @description `true` also sends two short requests to the chat model, to see what it can do. Default: `false`. */
                model?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorReport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of keys to return (1 to 1,000, default 1000). */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "operator",
                 *       "scope": "admin"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the key (1 to 100 characters). */
                    name: string;
                    /**
                     * @description Tenant whose store the key opens. Default: `default`.
                     * @default default
                     */
                    tenant?: string;
                    /**
                     * @description What the key may do: `read`, `write` (the default; includes `read`) or `admin` (includes both).
                     * @default write
                     * @enum {string}
                     */
                    scope?: "read" | "write" | "admin";
                    /** @description Names or ids of the only collections that the key sees (at most 256). It needs the scope `read`. Default: all. */
                    collections?: string[];
                    /** @description Condition of the only documents that the key sees, such as `team=it`, or a filter object of vector stores. It needs the scope `read`. Default: all. */
                    filter?: string | {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiKeysId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, as `GET /api/keys` lists it; not the key itself. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiConversationsIdLinks: {
        parameters: {
            query?: {
                /** @description Value of `last` in the previous answer. Default: start with the first. */
                after?: string;
                /** @description Maximum number of links to return (1 to 1,000, default 100). */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedLinkList"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    postApiConversationsIdLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days": 7
                 *     }
                 */
                "application/json": {
                    /** @description Days until the link expires, at most `server.sharedLinkDays` of the settings. Default: as many. */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSharedLink"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiConversationsIdLinksLinkId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the conversation, such as `conv_01a2…`. */
                id: string;
                /** @description Id of the link, such as `link_01a2…`, as the list of links has it. */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedSharedLink"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    postApiShared: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "kS1f0bZ…"
                 *     }
                 */
                "application/json": {
                    /** @description Token of the link (at most 200 characters). */
                    token: string;
                    /** @description Number of a turn, from 1: return only turns before it. Default: the last turns. */
                    before?: number;
                    /**
                     * @description Maximum number of turns to return (1 to 100, default 20).
                     * @default 20
                     */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedConversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    getApiModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelSetting"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            default: components["responses"]["Error"];
        };
    };
    putApiModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "http://127.0.0.1:11434/v1",
                 *       "name": "qwen3:8b"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description Address of a server with `/chat/completions`, such as `http://127.0.0.1:11434/v1` (at most 2,000 characters).
                     */
                    url: string;
                    /** @description Name of the model (1 to 200 characters). */
                    name: string;
                    /** @description Key of the server (1 to 2,000 characters), which is never returned. Default: the key so far, if the server is the same. */
                    key?: string;
                    /** @description Maximum number of tokens of a request, at most what the model reads; 0 means no limit. Default: 58,000. */
                    maxInputTokens?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelSetting"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-passim-scope": components["headers"]["Scope"];
                    "x-ratelimit-limit-requests": components["headers"]["RateLimit"];
                    "x-ratelimit-remaining-requests": components["headers"]["RateRemaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelSetting"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
            507: components["responses"]["Error507"];
            default: components["responses"]["Error"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description Time of the attempt in Unix seconds. */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of the HMAC-SHA256 over id, timestamp and body, joined by dots. Its key is the base64 after `whsec_` in the `secret`. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The event is accepted. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
// Digest of the description, which a shorter test compares: 8de3be0bde6c8074
