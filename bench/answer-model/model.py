"""The shipped embedding model in PyTorch, as its ONNX graph has it, with a head on its first token; and back to ONNX."""
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn.functional import dropout, gelu, linear, scaled_dot_product_attention

LAYERS, WIDTH, HEADS = 12, 384, 12
BLOCK = 32
PRODUCTS = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")
# What stays as it is: read from the file of the embedding model by the graph that is written.
SHARED = ("emb.word", "emb.word.s", "emb.pos")


class Weights:
    """The tensors of a graph, dequantised."""

    def __init__(self, path: str):
        self.tensors = {tensor.name: tensor for tensor in onnx.load(path).graph.initializer}

    def __call__(self, name: str) -> torch.Tensor:
        return torch.tensor(numpy_helper.to_array(self.tensors[name]))

    def product(self, name: str) -> torch.Tensor:
        return (self(f"{name}.w").float() - self(f"{name}.w.zp").float()) * self(f"{name}.w.s")

    def words(self) -> torch.Tensor:
        """Four bits a number, two in a byte, the lower first, each block of 32 with a scale."""
        bytes_ = np.frombuffer(self.tensors["emb.word"].raw_data, np.uint8)
        numbers = np.stack([bytes_ & 15, bytes_ >> 4], 1).reshape(-1, WIDTH).astype(np.int8)
        numbers = np.where(numbers > 7, numbers - 16, numbers)
        scaled = numbers.reshape(len(numbers), -1, BLOCK) * self("emb.word.s").numpy()[:, :, None]
        return torch.tensor(scaled.reshape(len(numbers), WIDTH).astype(np.float32))


class Product(nn.Linear):
    """Computed as the graph computes it: weights in 8 bits by output channel, what comes in in 8 bits by text."""

    def forward(self, states):
        scale = self.weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        weights = through((self.weight / scale).round() * scale, self.weight)
        least, most = states.amin((1, 2), keepdim=True).clamp(max=0), states.amax((1, 2), keepdim=True).clamp(min=0)
        step = (most - least).clamp(min=1e-8) / 255
        return linear(through((states / step).round() * step, states), weights, self.bias)


def through(rounded, exact):
    """Rounding has no slope: that of what was rounded stands for it (Bengio et al. 2013)."""
    return exact + (rounded - exact).detach()


class Layer(nn.Module):
    def __init__(self, weights: Weights, layer: int):
        super().__init__()
        for name in PRODUCTS:
            product = weights.product(f"l{layer}.{name}")
            part = Product(*product.shape)
            part.weight.data, part.bias.data = product.T.contiguous(), weights(f"l{layer}.{name}.b")
            self.add_module(name, part)
        for name in NORMS:
            norm = nn.LayerNorm(WIDTH, eps=1e-12)
            norm.weight.data, norm.bias.data = weights(f"l{layer}.{name}.w"), weights(f"l{layer}.{name}.b")
            self.add_module(name, norm)

    def forward(self, states, mask, rate: float):
        batch, tokens, _ = states.shape
        heads = [part(states).view(batch, tokens, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v)]
        context = scaled_dot_product_attention(*heads, attn_mask=mask).transpose(1, 2).reshape(states.shape)
        states = self.aln(states + dropout(self.ao(context), rate, self.training))
        return self.oln(states + dropout(self.fo(gelu(self.fi(states))), rate, self.training))


class CrossEncoder(nn.Module):
    """Log-odds that a statement answers a question, from the tokens of both. The first layers stay as they are."""

    def __init__(self, path: str, frozen: int, rate: float = 0.1):
        super().__init__()
        weights = Weights(path)
        self.frozen, self.rate = frozen, rate
        self.word = nn.Embedding.from_pretrained(weights.words(), freeze=True)
        self.position = nn.Parameter(weights("emb.pos"), requires_grad=False)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data, self.norm.bias.data = weights("eln.w"), weights("eln.b")
        self.layers = nn.ModuleList(Layer(weights, layer) for layer in range(LAYERS))
        for part in (self.norm, *self.layers[:frozen]):
            part.requires_grad_(False)
        self.hidden, self.out = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        for part, spread in ((self.hidden, 0.03), (self.out, 0.02)):
            nn.init.normal_(part.weight, std=spread)
            nn.init.zeros_(part.bias)

    def forward(self, ids, mask):
        states = self.norm(self.word(ids) + self.position[: ids.shape[1]])
        for at, layer in enumerate(self.layers):
            states = layer(states, mask[:, None, None, :].bool(), 0.0 if at < self.frozen else self.rate)
        hidden = torch.tanh(self.hidden(states[:, 0]))
        return self.out(dropout(hidden, self.rate, self.training))[:, 0]

    def load(self, path: str) -> None:
        """What `write` has written."""
        weights = Weights(path)
        for at, layer in enumerate(self.layers):
            layer.load_state_dict(Layer(weights, at).state_dict())
        for name, part in (("hidden", self.hidden), ("out", self.out)):
            part.weight.data, part.bias.data = weights(f"{name}.w").T.contiguous(), weights(f"{name}.b")


def write(model: CrossEncoder, source: str, target: str) -> None:
    """The graph of `source` with the weights of `model`, int8 per output channel, beside it: its words are read from `source`."""
    graph = onnx.load(source)
    tensors = {tensor.name: tensor for tensor in graph.graph.initializer}
    put = lambda name, array: tensors[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(array), name))
    numbers = lambda parameter: parameter.detach().float().numpy()
    for at, layer in enumerate(model.layers):
        for name in PRODUCTS:
            part = getattr(layer, name)
            weights = numbers(part.weight).T
            scale = np.maximum(np.abs(weights).max(0), 1e-8) / 127
            put(f"l{at}.{name}.w", np.round(weights / scale).astype(np.int8))
            put(f"l{at}.{name}.w.s", scale.astype(np.float32))
            put(f"l{at}.{name}.w.zp", np.zeros(len(scale), np.int8))
            put(f"l{at}.{name}.b", numbers(part.bias))
        for name in NORMS:
            put(f"l{at}.{name}.w", numbers(getattr(layer, name).weight))
            put(f"l{at}.{name}.b", numbers(getattr(layer, name).bias))
    share(tensors, source)
    head = {"first": np.array(0, np.int64)}  # a scalar, so that the token keeps no axis of its own
    for name, part in (("hidden", model.hidden), ("out", model.out)):
        head |= {f"{name}.w": numbers(part.weight).T, f"{name}.b": numbers(part.bias)}
    graph.graph.initializer.extend(numpy_helper.from_array(array.copy(), name) for name, array in head.items())
    states = graph.graph.output[0].name
    graph.graph.node.extend(
        [
            helper.make_node("Gather", [states, "first"], ["token"], axis=1),
            helper.make_node("Gemm", ["token", "hidden.w", "hidden.b"], ["hidden"]),
            helper.make_node("Tanh", ["hidden"], ["bent"]),
            helper.make_node("Gemm", ["bent", "out.w", "out.b"], ["answers"]),
        ]
    )
    del graph.graph.output[:]
    graph.graph.output.append(helper.make_tensor_value_info("answers", TensorProto.FLOAT, ["batch_size", 1]))
    onnx.save(graph, target)


def share(tensors: dict, source: str) -> None:
    """What both have is told by its place in the file of the embedding model."""
    with open(source, "rb") as file:
        whole = file.read()
    for name in SHARED:
        tensor, data = tensors[name], tensors[name].raw_data
        start = whole.find(data)
        if start < 0 or whole.find(data, start + 1) >= 0:
            raise ValueError(f"{name} is not once in {source}: write it into the graph itself.")
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", source.rsplit("/", 1)[-1]), ("offset", start), ("length", len(data))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
