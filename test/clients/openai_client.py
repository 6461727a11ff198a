"""What the unmodified OpenAI client does with a service of Passim at sys.argv[1]. Prints the name of each check that held."""

import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1], api_key="none", max_retries=0)
MODEL = "scripted"
QUESTION = "What do hotels cost?"


def held(name: str) -> None:
    print(name, flush=True)


def files_and_vector_stores() -> str:
    uploaded = client.files.create(file=("hotel.md", b"Hotels cost at most 120 euros a night."), purpose="assistants")
    assert uploaded.filename == "hotel.md", uploaded
    assert client.files.content(uploaded.id).text == "Hotels cost at most 120 euros a night."
    store = client.vector_stores.create(name="travel")
    file = client.vector_stores.files.create_and_poll(uploaded.id, vector_store_id=store.id, poll_interval_ms=50)
    assert file.status == "completed", file
    assert [one.id for one in client.vector_stores.files.list(store.id)] == [uploaded.id]
    found = client.vector_stores.search(store.id, query="price of hotels")
    assert "120 euros" in found.data[0].content[0].text, found
    held("files and vector stores")
    return store.id


def responses(store: str) -> None:
    search = [{"type": "file_search", "vector_store_ids": [store]}]
    first = client.responses.create(model=MODEL, input=QUESTION, tools=search, include=["file_search_call.results"])
    assert first.output_text == "At most 120 euros [1].", first
    assert first.output[0].results[0].filename == "hotel.md", first
    assert first.output[1].content[0].annotations[0].filename == "hotel.md", first
    second = client.responses.create(
        model=MODEL, input="Per what?", previous_response_id=first.id, reasoning={"effort": "low"}
    )
    assert second.previous_response_id == first.id
    assert [item.type for item in second.output] == ["reasoning", "message"], second
    assert second.output_text == "A night.", second
    held("responses")
    with client.responses.stream(model=MODEL, input=QUESTION, tools=search) as stream:
        types = [event.type for event in stream]
        final = stream.get_final_response()
    assert types[0] == "response.created" and types[-1] == "response.completed", types
    assert "response.file_search_call.searching" in types and "response.output_text.delta" in types, types
    assert final.output_text == "At most 120 euros [1].", final
    assert client.responses.retrieve(final.id).output_text == final.output_text
    held("streamed responses")


def conversations(store: str) -> None:
    asked = [{"role": "user", "content": QUESTION}]
    made = client.conversations.create(metadata={"topic": "travel"}, items=asked)
    assert client.conversations.update(made.id, metadata={"topic": "hotels"}).metadata == {"topic": "hotels"}
    search = [{"type": "file_search", "vector_store_ids": [store]}]
    with client.responses.stream(model=MODEL, input=QUESTION, tools=search, conversation=made.id) as stream:
        events = list(stream)
        final = stream.get_final_response()
    assert final.output_text == "At most 120 euros [1].", final
    with client.responses.stream(response_id=final.id, starting_after=3) as stream:
        missed = list(stream)
    assert [event.sequence_number for event in missed] == [event.sequence_number for event in events[4:]], missed
    items = list(client.conversations.items.list(made.id, order="asc", limit=1))
    assert [item.type for item in items] == ["message", "message", "file_search_call", "message"], items
    assert client.conversations.items.retrieve(items[-1].id, conversation_id=made.id).id == final.output[-1].id
    client.conversations.items.delete(items[0].id, conversation_id=made.id)
    assert len(list(client.conversations.items.list(made.id))) == 3
    assert client.conversations.delete(made.id).deleted
    held("conversations")


def chat() -> None:
    messages = [{"role": "user", "content": "Say hello."}]
    whole = client.chat.completions.create(model=MODEL, messages=messages)
    assert whole.choices[0].message.content == "Hello there.", whole
    pieces = client.chat.completions.create(
        model=MODEL, messages=messages, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(pieces)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "Hello there.", text
    assert chunks[-1].usage.total_tokens > 0, chunks[-1]
    function = {"name": "look_up", "parameters": {"type": "object", "properties": {"place": {"type": "string"}}}}
    called = client.chat.completions.create(
        model=MODEL, messages=messages, tools=[{"type": "function", "function": function}]
    )
    call = called.choices[0].message.tool_calls[0]
    assert (call.function.name, call.function.arguments) == ("look_up", '{"place":"Rome"}'), call
    held("chat")


def embeddings() -> None:
    model = next(one.id for one in client.models.list().data if one.type == "embedding")
    given = client.embeddings.create(model=model, input=["a hotel", "a night"])
    assert len(given.data) == 2 and len(given.data[0].embedding) > 0, given
    held("embeddings")


def errors() -> None:
    patient = client.with_options(max_retries=2)
    refused = {"model": MODEL, "messages": [{"role": "user", "content": "Refused."}]}
    for kind, call in [
        (openai.NotFoundError, lambda: patient.vector_stores.retrieve("vs_none")),
        (openai.BadRequestError, lambda: patient.responses.create(model=MODEL, input="")),
        (openai.InternalServerError, lambda: patient.chat.completions.create(**refused)),
    ]:
        try:
            call()
        except kind as error:
            if error.status_code >= 500:
                assert error.response.headers["x-should-retry"] == "false", error.response.headers
        else:
            raise AssertionError(f"no {kind}")
    again = patient.chat.completions.with_raw_response.create(
        model=MODEL, messages=[{"role": "user", "content": "Busy at first."}]
    )
    assert again.retries_taken == 1, again.retries_taken
    assert again.parse().choices[0].message.content == "Hello again."
    held("errors and retries")


store_id = files_and_vector_stores()
responses(store_id)
conversations(store_id)
chat()
embeddings()
errors()
