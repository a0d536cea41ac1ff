"""Makes tiny_sat/ anew: the architecture of SaT (XLM-R with a label a token), one small layer, random weights.

    pip install onnx "wtpsplit==2.2.2" && python tests/segment/make_tiny_sat.py

Its sentences are nonsense; what is real are the classes, the file formats and the sizes of the blocks that it reads.
"""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaForTokenClassification
from wtpsplit.configs import SubwordXLMConfig

FOLDER = Path(__file__).parent / "tiny_sat"
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
TEXTS = ["The pier was closed in spring. It opened again in May? 今天天气很好。"] * 20
SHAPE = (2, 20)


class Logits(torch.nn.Module):
    """What an exported SaT model takes and gives."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, attention_mask: torch.Tensor, input_ids: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids=input_ids, attention_mask=attention_mask.long()).logits


def tokenizer() -> PreTrainedTokenizerFast:
    made = Tokenizer(models.Unigram())
    made.normalizer, made.pre_tokenizer, made.decoder = (
        normalizers.NFKC(),
        pre_tokenizers.Metaspace(),
        decoders.Metaspace(),
    )
    made.train_from_iterator(
        TEXTS, trainers.UnigramTrainer(vocab_size=100, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    )
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    names = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=made, **{f"{name}_token": token for name, token in names.items()})


def main() -> None:
    """The folder holds a tokenizer, a config and the weights as ONNX."""
    words = tokenizer()
    words.save_pretrained(FOLDER)
    sizes = {
        "vocab_size": len(words),
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
        "num_labels": 1,
    }
    SubwordXLMConfig(**sizes).save_pretrained(FOLDER)
    torch.manual_seed(3)
    model = XLMRobertaForTokenClassification(XLMRobertaConfig(**sizes)).eval()
    with torch.no_grad():
        model.classifier.weight.mul_(40)  # so that some probabilities are large
    axes = {name: {0: "batch", 1: "length"} for name in ("attention_mask", "input_ids", "logits")}
    torch.onnx.export(
        Logits(model),
        (torch.ones(SHAPE, dtype=torch.float16), torch.full(SHAPE, 5)),
        str(FOLDER / "model_optimized.onnx"),
        input_names=["attention_mask", "input_ids"],
        output_names=["logits"],
        dynamic_axes=axes,
        dynamo=False,
        opset_version=17,
    )


if __name__ == "__main__":
    main()
